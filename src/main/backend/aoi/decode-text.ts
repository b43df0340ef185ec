/** The text of a file: by its byte order mark, else by what its XML declares, else as UTF-8, or Latin if it isn't that. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(head)?.[1];
  for (const label of [declared ?? 'utf-8', 'utf-8']) {
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch {
      // An encoding that isn't known, or isn't the one it says: the next may fit.
    }
  }
  return new TextDecoder('windows-1252').decode(bytes);
}
