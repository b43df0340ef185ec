import type { z } from 'zod';
import type { ErrorCode } from '../errors/error-codes.ts';

/** Codes that any call may end with, so that no call has to list them. */
export const commonErrorCodes: readonly ErrorCode[] = [
  'input.invalid',
  'input.too-large',
  'cancelled',
  'internal',
  // Whatever a call is for, it may have to note something.
  'library.disk-full',
  'library.read-only',
  'library.in-use',
  'library.corrupt',
];

interface CallShape<Kind extends 'query' | 'command', Input extends z.ZodType, Output extends z.ZodType> {
  kind: Kind;
  input: Input;
  output: Output;
  errors: readonly ErrorCode[];
}

interface StreamShape<Input extends z.ZodType, Event extends z.ZodType> {
  kind: 'stream';
  input: Input;
  event: Event;
  errors: readonly ErrorCode[];
}

/** One entry of the contract. */
export type Procedure =
  CallShape<'query' | 'command', z.ZodType, z.ZodType> | StreamShape<z.ZodType, z.ZodType>;

/** Domain → name → procedure. */
export type Contract = Record<string, Record<string, Procedure>>;

/** A call that changes nothing. */
export function query<Input extends z.ZodType, Output extends z.ZodType>(
  shape: Omit<CallShape<'query', Input, Output>, 'kind'>,
): CallShape<'query', Input, Output> {
  return { kind: 'query', ...shape };
}

/** A call that changes something. */
export function command<Input extends z.ZodType, Output extends z.ZodType>(
  shape: Omit<CallShape<'command', Input, Output>, 'kind'>,
): CallShape<'command', Input, Output> {
  return { kind: 'command', ...shape };
}

/** A subscription: the first event is a snapshot, later ones are changes. */
export function stream<Input extends z.ZodType, Event extends z.ZodType>(
  shape: Omit<StreamShape<Input, Event>, 'kind'>,
): StreamShape<Input, Event> {
  return { kind: 'stream', ...shape };
}

/** What a handler gets beside its input. */
export interface HandlerContext {
  /** Aborts when the caller cancels, unsubscribes or goes away. */
  signal: AbortSignal;
  /** With it the same is asked again after an answer that never came; see `CallOptions`. */
  askKey?: string | undefined;
}

/** The handler of one procedure. A stream's handler calls `emit` until its signal aborts, and then resolves. */
export type Handler<P extends Procedure> =
  P extends StreamShape<infer Input, infer Event>
    ? (
        input: z.output<Input>,
        emit: (event: z.input<Event>) => void,
        context: HandlerContext,
      ) => Promise<void> | void
    : P extends CallShape<'query' | 'command', infer Input, infer Output>
      ? (input: z.output<Input>, context: HandlerContext) => Promise<z.input<Output>> | z.input<Output>
      : never;

/** Every handler of a contract: a missing, extra or mistyped one does not compile. */
export type Handlers<C extends Contract> = {
  [Domain in keyof C]: { [Name in keyof C[Domain]]: Handler<C[Domain][Name]> };
};

/** Options of a client's call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Of one call, and of no other: asked again with it, what can't be done twice is not done again. */
  askKey?: string | undefined;
}

/** Receives a subscription's events, and its end when that was not asked for. */
export interface StreamListener<Event> {
  /** `sequence` counts from 0, which is the snapshot. */
  onEvent(event: Event, sequence: number): void;
  onError?(error: unknown): void;
}

/** The client's method for one procedure. A stream's method returns the way to end it. */
export type ClientMethod<P extends Procedure> =
  P extends StreamShape<infer Input, infer Event>
    ? (input: z.input<Input>, listener: StreamListener<z.output<Event>>) => () => void
    : P extends CallShape<'query' | 'command', infer Input, infer Output>
      ? (input: z.input<Input>, options?: CallOptions) => Promise<z.output<Output>>
      : never;

/** A client of a contract. */
export type Client<C extends Contract> = {
  [Domain in keyof C]: { [Name in keyof C[Domain]]: ClientMethod<C[Domain][Name]> };
};
