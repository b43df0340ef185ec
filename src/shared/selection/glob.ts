/** Whether a text matches a pattern with `*` (anything) and `?` (one character), in any case. Time is linear in practice and never exponential. */
export function matchesGlob(text: string, pattern: string): boolean {
  const subject = text.toLowerCase();
  const wanted = pattern.toLowerCase();
  let at = 0;
  let inPattern = 0;
  // Where to go on when what follows the last star doesn't fit: the star takes one character more.
  let starInPattern = -1;
  let starAt = 0;
  while (at < subject.length) {
    const sign = wanted[inPattern];
    if (sign === '*') {
      starInPattern = inPattern++;
      starAt = at;
    } else if (sign === '?' || sign === subject[at]) {
      at += 1;
      inPattern += 1;
    } else if (starInPattern >= 0) {
      inPattern = starInPattern + 1;
      at = ++starAt;
    } else return false;
  }
  while (wanted[inPattern] === '*') inPattern += 1;
  return inPattern === wanted.length;
}

/** The patterns of a typed line: parted by commas or spaces. */
export function readPatterns(line: string): string[] {
  return line.split(/[\s,;]+/).filter((pattern) => pattern !== '');
}
