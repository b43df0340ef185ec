import { AppError } from '../errors/app-error.ts';
import type { CallOptions, Client, Contract, Procedure, StreamListener } from './define-contract.ts';
import type { Pipe } from './pipe.ts';
import {
  decodeMessage,
  protocolVersion,
  serverMessageSchema,
  type ClientMessage,
  type ServerMessage,
} from './wire-message.ts';

interface Pending {
  procedure: Procedure;
  onResult(output: unknown): void;
  onEvent(event: unknown, sequence: number): void;
  onError(error: AppError): void;
}

type StreamEvent = Extract<ServerMessage, { type: 'event' }>;

interface Call {
  path: string;
  procedure: Procedure;
  input: unknown;
  askKey?: string | undefined;
}

interface ClientOptions {
  /** Whether outputs and events are checked against the contract: in development and tests. */
  isValidating: boolean;
  /** The other side speaks another version: reload. */
  onVersionMismatch?(): void;
}

/** Builds one method for each procedure of the contract over a pipe. Errors come back as `AppError`s. */
export function createClient<C extends Contract>(contract: C, pipe: Pipe, options: ClientOptions): Client<C> {
  const calls = new PendingCalls(pipe, options);
  const client: Record<string, Record<string, unknown>> = {};
  for (const [domain, procedures] of Object.entries(contract)) {
    const methods = Object.entries(procedures).map(
      ([name, procedure]) => [name, calls.createMethod(`${domain}.${name}`, procedure)] as const,
    );
    client[domain] = Object.fromEntries(methods);
  }
  return client as Client<C>;
}

class PendingCalls {
  readonly #pipe: Pipe;
  readonly #options: ClientOptions;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #isClosed = false;

  constructor(pipe: Pipe, options: ClientOptions) {
    this.#pipe = pipe;
    this.#options = options;
    pipe.onMessage((text) => this.#receive(text));
    pipe.onClose(() => this.#failAll());
    this.#send({ type: 'hello', version: protocolVersion });
  }

  createMethod(path: string, procedure: Procedure): unknown {
    return procedure.kind === 'stream'
      ? (input: unknown, listener: StreamListener<unknown>) =>
          this.#subscribe({ path, procedure, input }, listener)
      : (input: unknown, options?: CallOptions) =>
          this.#call({ path, procedure, input, askKey: options?.askKey }, options?.signal);
  }

  #call({ procedure, ...asked }: Call, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(new AppError('cancelled', `${asked.path} was cancelled`));
        return;
      }
      const cancel = (): void => this.#cancel(id, asked.path);
      const settle = (): void => signal?.removeEventListener('abort', cancel);
      const id = this.#open(asked, {
        procedure,
        onResult: (output) => {
          settle();
          resolve(output);
        },
        onEvent: () => undefined,
        onError: (error) => {
          settle();
          reject(error);
        },
      });
      signal?.addEventListener('abort', cancel, { once: true });
    });
  }

  #subscribe({ procedure, ...asked }: Call, listener: StreamListener<unknown>): () => void {
    const id = this.#open(asked, {
      procedure,
      onResult: () => undefined,
      onEvent: (event, sequence) => listener.onEvent(event, sequence),
      onError: (error) => listener.onError?.(error),
    });
    return () => {
      if (this.#pending.delete(id)) this.#send({ type: 'cancel', id });
    };
  }

  #open(asked: Omit<Call, 'procedure'>, pending: Pending): number {
    const id = this.#nextId++;
    if (this.#isClosed) {
      queueMicrotask(() => pending.onError(closedError()));
      return id;
    }
    this.#pending.set(id, pending);
    this.#send({ type: 'request', id, ...asked });
    return id;
  }

  #cancel(id: number, path: string): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    this.#send({ type: 'cancel', id });
    pending.onError(new AppError('cancelled', `${path} was cancelled`));
  }

  #receive(text: string): void {
    const message = decodeMessage(serverMessageSchema, text);
    if (!message) return;
    if (message.type === 'hello') {
      if (message.version !== protocolVersion) this.#options.onVersionMismatch?.();
      return;
    }
    const pending = this.#pending.get(message.id);
    // Answers to calls that were cancelled meanwhile are dropped here.
    if (!pending) return;
    if (message.type === 'event') {
      this.#take(pending, message);
      return;
    }
    this.#pending.delete(message.id);
    if (message.type === 'error') pending.onError(AppError.fromData(message.error));
    else this.#finish(pending, message.output);
  }

  #take(pending: Pending, { id, event, sequence }: StreamEvent): void {
    const checked = this.#tryCheck(pending.procedure, event);
    if (checked) {
      pending.onEvent(checked.value, sequence);
      return;
    }
    this.#pending.delete(id);
    this.#send({ type: 'cancel', id });
    pending.onError(new AppError('internal', 'An event breaks the contract'));
  }

  #finish(pending: Pending, output: unknown): void {
    const checked = this.#tryCheck(pending.procedure, output);
    if (checked) pending.onResult(checked.value);
    else pending.onError(new AppError('internal', 'The answer breaks the contract'));
  }

  #tryCheck(procedure: Procedure, value: unknown): { value: unknown } | null {
    if (!this.#options.isValidating) return { value };
    const schema = procedure.kind === 'stream' ? procedure.event : procedure.output;
    const parsed = schema.safeParse(value);
    return parsed.success ? { value: parsed.data } : null;
  }

  #failAll(): void {
    this.#isClosed = true;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const one of pending) one.onError(closedError());
  }

  #send(message: ClientMessage): void {
    this.#pipe.send(JSON.stringify(message));
  }
}

function closedError(): AppError {
  return new AppError('network.offline', 'The connection to the program was closed', {
    details: { host: 'local' },
    retryable: true,
  });
}
