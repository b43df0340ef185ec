/** Where a text stops being JSON; `line` counts from 1. */
export interface JsonFault {
  line: number;
  why: string;
}

/** A JSON value and where each of its members stands; paths are names and indexes joined by dots. */
export interface LocatedJson {
  value: unknown;
  /** The line of a member, or of the nearest one around it that is there. */
  lineOf: (path: string) => number;
}

/** Deeper than any request; a text that nests without end must not run out of stack. */
const maxDepth = 64;

/** Reads JSON and remembers the lines of its members, so that a message can name one. */
export function locateJson(text: string): LocatedJson | { fault: JsonFault } {
  const reader = new JsonReader(text);
  const fault = reader.read();
  if (fault) return { fault };
  const lines = reader.lines;
  return {
    value: JSON.parse(text) as unknown,
    lineOf: (path) => {
      for (let name = path; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
        const line = lines.get(name);
        if (line !== undefined) return line;
      }
      return 1;
    },
  };
}

class Fault extends Error {}

class JsonReader {
  readonly lines = new Map<string, number>();
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): JsonFault | null {
    try {
      this.#readValue('', 0);
      this.#skipBlanks();
      if (this.#position < this.#text.length) throw new Fault('something follows after the end');
      return null;
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      return { line: this.#line(), why: thrown.message };
    }
  }

  #readValue(path: string, depth: number): void {
    if (depth > maxDepth) throw new Fault('it is nested too deeply');
    const next = this.#skipBlanks();
    if (next === '{') this.#readMembers(path, depth);
    else if (next === '[') this.#readList(path, depth);
    else if (next === '"') this.#readText();
    else this.#readWord();
  }

  #readMembers(path: string, depth: number): void {
    this.#position += 1;
    if (this.#skipBlanks() === '}') this.#position += 1;
    else this.#readFilledMembers(path, depth);
  }

  #readFilledMembers(path: string, depth: number): void {
    for (;;) {
      if (this.#skipBlanks() !== '"') {
        throw new Fault(this.#at() === '}' ? 'a comma too many' : 'a name in double quotes is needed');
      }
      const line = this.#line();
      const member = path === '' ? this.#readText() : `${path}.${this.#readText()}`;
      if (this.lines.has(member)) throw new Fault(`“${member}” is there twice`);
      this.lines.set(member, line);
      if (this.#skipBlanks() !== ':') throw new Fault('a colon is needed after the name');
      this.#position += 1;
      this.#readValue(member, depth + 1);
      if (this.#endsWith('}')) return;
    }
  }

  #readList(path: string, depth: number): void {
    this.#position += 1;
    if (this.#skipBlanks() === ']') this.#position += 1;
    else this.#readFilledList(path, depth);
  }

  #readFilledList(path: string, depth: number): void {
    for (let index = 0; ; index += 1) {
      if (this.#skipBlanks() === ']') throw new Fault('a comma too many');
      this.lines.set(path === '' ? String(index) : `${path}.${String(index)}`, this.#line());
      this.#readValue(path === '' ? String(index) : `${path}.${String(index)}`, depth + 1);
      if (this.#endsWith(']')) return;
    }
  }

  #readText(): string {
    const match = this.#match(/"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy);
    if (match === null) throw new Fault('a text isn’t closed, or holds a character that has to be escaped');
    return JSON.parse(match) as string;
  }

  #readWord(): void {
    const word = this.#match(
      /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y,
    );
    if (word !== null) return;
    const found = this.#at();
    throw new Fault(
      found === undefined
        ? 'it ends too early'
        : found === "'"
          ? 'texts have double quotes'
          : 'a value is needed here',
    );
  }

  // After a member: whether that was the last one.
  #endsWith(end: string): boolean {
    const next = this.#skipBlanks();
    if (next !== end && next !== ',') {
      throw new Fault(
        next === undefined ? `it ends too early: “${end}” is missing` : `a comma or “${end}” is needed`,
      );
    }
    this.#position += 1;
    return next === end;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#text)?.[0] ?? null;
    if (match !== null) this.#position += match.length;
    return match;
  }

  #skipBlanks(): string | undefined {
    while (/[ \t\r\n]/.test(this.#at() ?? '')) this.#position += 1;
    return this.#at();
  }

  #at(): string | undefined {
    return this.#text[this.#position];
  }

  #line(): number {
    return this.#text.slice(0, this.#position).split('\n').length;
  }
}
