// What Node and browsers both have at run time, declared for src/shared alone: it is compiled without either's types.
interface AbortSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
interface AbortController {
  readonly signal: AbortSignal;
  abort(): void;
}
declare const AbortController: { new (): AbortController };
interface URL {
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly hostname: string;
  readonly origin: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}
declare const URL: { new (url: string, base?: string): URL; canParse(url: string, base?: string): boolean };
declare function queueMicrotask(callback: () => void): void;
declare const TextDecoder: { new (): { decode(bytes: Uint8Array): string } };
