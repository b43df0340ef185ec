import { unreadable } from './aoi-error.ts';

/** An angle in degrees; `axis` where a letter or a word says which one it is. */
export interface Angle {
  degrees: number;
  axis: 'lat' | 'lon' | null;
}

type Token =
  | { kind: 'number'; value: number; isSigned: boolean; isWhole: boolean }
  | { kind: 'unit'; sign: '°' | "'" | '"' | ':' }
  | { kind: 'hemisphere'; letter: 'N' | 'S' | 'E' | 'W' }
  | { kind: 'axis'; axis: 'lat' | 'lon' }
  | { kind: 'separator' };

const tokenPattern =
  /(LATITUDE|LAT|Y)\s*[:=]?|(LONGITUDE|LONG|LON|LNG|X)\s*[:=]?|(NORTH|SOUTH|EAST|WEST|[NSEW])|([+-]?\d+(?:\.\d+)?|[+-]?\.\d+)|([°'":])|([,;\n/|])|(\s+)|(.)/g;

/** A text in the few signs that the parser knows. */
export function plainSigns(text: string): string {
  return (
    text
      .toUpperCase()
      .replace(/[′’‘´`]{2}|[″”“]|''/g, '"')
      .replace(/[′’‘´`]/g, "'")
      .replace(/[º˚]|\bDEG(REES?)?\b|(?<=\d)\s*D(?=\s|\d)/g, '°')
      .replace(/(?<=\d)\s*M(IN)?(?=[\s\d])/g, "'")
      .replace(/(?<=\d)\s*SEC\b/g, '"')
      .replace(/[−–—]/g, '-')
      .replace(/[\u00A0\u2000-\u200A\u202F]/g, ' ')
      // A decimal comma, where what follows shows that the number ends there.
      .replace(/(\d),(\d+)(?=\s*[°'"])/g, '$1.$2')
  );
}

/** Whether signs or letters say more than numbers alone would. */
export function hasMarks(plain: string): boolean {
  return /[°'":NSEW]|LAT|LON|LNG/.test(plain.replace(/\dE[+-]?\d/g, ''));
}

/**
 * The angles of a text in degrees, degrees and minutes, or degrees, minutes and seconds.
 * @throws AppError `aoi.unreadable`
 */
export function parseAngles(plain: string): Angle[] {
  const tokens = tokenise(plain);
  const firstLetter = tokens.findIndex(({ kind }) => kind === 'hemisphere');
  const firstNumber = tokens.findIndex(({ kind }) => kind === 'number');
  const reader = new AngleReader(tokens, { isLetterFirst: firstLetter !== -1 && firstLetter < firstNumber });
  const angles: Angle[] = [];
  while (!reader.isAtEnd) angles.push(reader.read());
  return angles;
}

class AngleReader {
  readonly #tokens: readonly Token[];
  readonly #isLetterFirst: boolean;
  readonly #hasLetters: boolean;
  #place = 0;

  constructor(tokens: readonly Token[], { isLetterFirst }: { isLetterFirst: boolean }) {
    this.#tokens = tokens;
    this.#isLetterFirst = isLetterFirst;
    this.#hasLetters = tokens.some(({ kind }) => kind === 'hemisphere');
    this.#skipSeparators();
  }

  get isAtEnd(): boolean {
    return this.#place >= this.#tokens.length;
  }

  read(): Angle {
    let axis: Angle['axis'] = null;
    const named = this.#peek();
    if (named?.kind === 'axis') {
      axis = named.axis;
      this.#place += 1;
    }
    let letter = this.#isLetterFirst ? this.#takeLetter() : null;
    const first = this.#peek();
    if (first?.kind !== 'number') throw noAngle('A number is missing.');
    const parts = this.#takeParts();
    if (!this.#isLetterFirst) letter = this.#takeLetter();
    this.#skipSeparators();
    return toAngle({ parts, isNegative: first.isSigned && isMinus(first), letter, axis });
  }

  /** Degrees, and minutes and seconds where they are such: marked by a sign, or between letters. */
  #takeParts(): number[] {
    const parts: number[] = [];
    let isMarked = false;
    for (let token = this.#peek(); token?.kind === 'number' && parts.length < 3; token = this.#peek()) {
      const isContinuation = (isMarked || this.#hasLetters) && !token.isSigned && !this.#beginsNext();
      if (parts.length > 0 && !isContinuation) break;
      parts.push(Math.abs(token.value));
      this.#place += 1;
      isMarked = this.#peek()?.kind === 'unit';
      if (isMarked) this.#place += 1;
      // After a fraction nothing smaller follows.
      if (!token.isWhole) break;
    }
    return parts;
  }

  /** Whether the number here, after others, is marked as the degrees of the next angle. */
  #beginsNext(): boolean {
    const next = this.#tokens[this.#place + 1];
    if (next?.kind !== 'unit') return false;
    const before = this.#tokens[this.#place - 1];
    return next.sign === '°' || (next.sign === ':' && !(before?.kind === 'unit' && before.sign === ':'));
  }

  #takeLetter(): 'N' | 'S' | 'E' | 'W' | null {
    const token = this.#peek();
    if (token?.kind !== 'hemisphere') return null;
    this.#place += 1;
    return token.letter;
  }

  #skipSeparators(): void {
    while (this.#peek()?.kind === 'separator') this.#place += 1;
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#place];
  }
}

interface AngleParts {
  parts: readonly number[];
  isNegative: boolean;
  letter: 'N' | 'S' | 'E' | 'W' | null;
  axis: Angle['axis'];
}

const axisOfLetter = { N: 'lat', S: 'lat', E: 'lon', W: 'lon' } as const;

function toAngle({ parts, isNegative, letter, axis }: AngleParts): Angle {
  const [degrees = 0, minutes = 0, seconds = 0] = parts;
  if (minutes >= 60 || seconds >= 60) throw noAngle('Minutes and seconds stay below 60.');
  if (isNegative && letter) throw noAngle(`A minus sign and “${letter}” say the same twice.`);
  const size = degrees + minutes / 60 + seconds / 3600;
  const isBehind = isNegative || letter === 'S' || letter === 'W';
  return { degrees: isBehind ? -size : size, axis: letter ? axisOfLetter[letter] : axis };
}

function tokenise(plain: string): Token[] {
  const tokens: Token[] = [];
  for (const [, lat, lon, letter, number, unit, separator, , other] of plain.matchAll(tokenPattern)) {
    if (other !== undefined && !/[()[\]]/.test(other)) throw noAngle(`“${other}” is not understood.`);
    if (lat) tokens.push({ kind: 'axis', axis: 'lat' });
    else if (lon) tokens.push({ kind: 'axis', axis: 'lon' });
    else if (letter) tokens.push({ kind: 'hemisphere', letter: letter.charAt(0) as 'N' });
    else if (number) tokens.push(toNumber(number));
    else if (unit) tokens.push({ kind: 'unit', sign: unit as '°' });
    else if (separator) tokens.push({ kind: 'separator' });
  }
  return tokens;
}

function toNumber(text: string): Token {
  return {
    kind: 'number',
    value: Object.is(Number(text), -0) || text.startsWith('-') ? -Math.abs(Number(text)) : Number(text),
    isSigned: /^[+-]/.test(text),
    isWhole: !text.includes('.'),
  };
}

function isMinus({ value }: { value: number }): boolean {
  return value < 0 || Object.is(value, -0);
}

function noAngle(why: string): ReturnType<typeof unreadable> {
  return unreadable({ why, mend: 'A place looks like 51.5 N 0.12 W, or 51°30′26″N 0°7′39″W.' });
}
