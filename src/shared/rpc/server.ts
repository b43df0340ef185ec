import { AppError, toAppError } from '../errors/app-error.ts';
import {
  commonErrorCodes,
  type Contract,
  type HandlerContext,
  type Handlers,
  type Procedure,
} from './define-contract.ts';
import type { Pipe } from './pipe.ts';
import {
  clientMessageSchema,
  decodeMessage,
  maxMessageLength,
  protocolVersion,
  type ClientMessage,
  type ServerMessage,
} from './wire-message.ts';

interface ServerOptions {
  /** Whether outputs, events and error codes are checked against the contract: in development and tests. */
  isValidating: boolean;
  /** Told of every error that leaves; the cause and the stack stay on this side. */
  onError?(path: string, error: AppError): void;
  /** What is known better of an error than that it is one; by default nothing. */
  explain?(thrown: unknown): unknown;
}

/** Serves handlers to any number of pipes. */
export interface Router {
  /** Answers a pipe until it closes; closing it aborts its calls and ends its subscriptions. */
  serve(pipe: Pipe): void;
}

type Request = Extract<ClientMessage, { type: 'request' }>;

type AnyHandler = (input: unknown, ...rest: unknown[]) => unknown;

interface Route {
  procedure: Procedure;
  handler: AnyHandler;
}

/** Joins a contract with its handlers. */
export function createRouter<C extends Contract>(
  contract: C,
  handlers: Handlers<C>,
  options: ServerOptions,
): Router {
  const routes = new Map<string, Route>();
  for (const [domain, procedures] of Object.entries(contract)) {
    for (const [name, procedure] of Object.entries(procedures)) {
      // The type of `handlers` guarantees that each exists; the lookup by name loses that knowledge.
      const handler = handlers[domain]?.[name] as unknown as AnyHandler;
      routes.set(`${domain}.${name}`, { procedure, handler });
    }
  }
  return {
    serve: (pipe) => {
      new Session(pipe, routes, options).start();
    },
  };
}

class Session {
  readonly #pipe: Pipe;
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #options: ServerOptions;
  readonly #running = new Map<number, AbortController>();

  constructor(pipe: Pipe, routes: ReadonlyMap<string, Route>, options: ServerOptions) {
    this.#pipe = pipe;
    this.#routes = routes;
    this.#options = options;
  }

  start(): void {
    this.#pipe.onClose(() => this.#abortAll());
    this.#pipe.onMessage((text) => this.#receive(text));
  }

  #receive(text: string): void {
    const message = text.length <= maxMessageLength ? decodeMessage(clientMessageSchema, text) : null;
    if (!message) {
      // A peer that sends what no client of ours would send is not talked to any further.
      this.#pipe.close();
      return;
    }
    if (message.type === 'hello') this.#send({ type: 'hello', version: protocolVersion });
    else if (message.type === 'cancel') this.#running.get(message.id)?.abort();
    else if (this.#running.has(message.id)) this.#pipe.close();
    else void this.#answer(message);
  }

  async #answer({ id, path, input, askKey }: Request): Promise<void> {
    const abort = new AbortController();
    this.#running.set(id, abort);
    try {
      const route = this.#routes.get(path);
      if (!route) throw new AppError('input.invalid', `There is no call "${path.slice(0, 80)}"`);
      const context = { signal: abort.signal, askKey };
      const output = await this.#run(id, route, { input: checkInput(route, input), context });
      if (!abort.signal.aborted) this.#send({ type: 'result', id, output });
    } catch (thrown) {
      const error = toAppError(this.#options.explain?.(thrown) ?? thrown);
      this.#options.onError?.(path, error);
      if (!abort.signal.aborted)
        this.#send({ type: 'error', id, error: this.#declared(path, error).toData() });
    } finally {
      this.#running.delete(id);
    }
  }

  async #run(
    id: number,
    route: Route,
    { input, context }: { input: unknown; context: HandlerContext },
  ): Promise<unknown> {
    const { procedure, handler } = route;
    if (procedure.kind !== 'stream') {
      const output = await handler(input, context);
      return this.#options.isValidating ? procedure.output.parse(output) : output;
    }
    let sequence = 0;
    const emit = (event: unknown): void => {
      if (context.signal.aborted) return;
      const isSound = !this.#options.isValidating || procedure.event.safeParse(event).success;
      if (isSound) this.#send({ type: 'event', id, sequence: sequence++, event });
      else this.#breakOff(id);
    };
    await handler(input, emit, context);
    return null;
  }

  // Not thrown at whoever emits: it is often a timer, which could do nothing about it.
  #breakOff(id: number): void {
    const error = new AppError('internal', 'An event breaks the contract');
    this.#options.onError?.('stream', error);
    this.#send({ type: 'error', id, error: error.toData() });
    this.#running.get(id)?.abort();
  }

  #declared(path: string, error: AppError): AppError {
    const declared = this.#routes.get(path)?.procedure.errors ?? [];
    const isDeclared = commonErrorCodes.includes(error.code) || declared.includes(error.code);
    if (isDeclared || !this.#options.isValidating) return error;
    return new AppError('internal', `${path} ended with ${error.code}, which its contract does not declare`);
  }

  #abortAll(): void {
    for (const abort of this.#running.values()) abort.abort();
  }

  #send(message: ServerMessage): void {
    this.#pipe.send(JSON.stringify(message));
  }
}

function checkInput(route: Route, input: unknown): unknown {
  const parsed = route.procedure.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw new AppError('input.invalid', `${field}: ${issue?.message ?? 'malformed'}`, {
    details: { field, why: issue?.message ?? 'malformed' },
  });
}
