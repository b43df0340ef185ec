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
declare function queueMicrotask(callback: () => void): void;
