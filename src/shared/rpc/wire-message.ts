import { z } from 'zod';
import { errorDataSchema } from '../errors/app-error.ts';

/** Raised whenever the wire or the contract changes shape, so that a stale window is told to reload. */
export const protocolVersion = 1;

/** The longest text that a pipe takes: an AOI of many vertices fits, a runaway does not. In UTF-16 units. */
export const maxMessageLength = 32 * 1024 * 1024;

/** What a client sends. `hello` comes first. */
export const clientMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), version: z.number().int() }),
  z.object({
    type: z.literal('request'),
    id: z.number().int(),
    path: z.string(),
    input: z.unknown(),
    askKey: z.uuid().optional(),
  }),
  /** Ends a call or a subscription early. */
  z.object({ type: z.literal('cancel'), id: z.number().int() }),
]);

/** What a server sends. */
export const serverMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), version: z.number().int() }),
  z.object({ type: z.literal('result'), id: z.number().int(), output: z.unknown() }),
  z.object({ type: z.literal('error'), id: z.number().int(), error: errorDataSchema }),
  /** `sequence` counts from 0, which is the snapshot. */
  z.object({
    type: z.literal('event'),
    id: z.number().int(),
    sequence: z.number().int(),
    event: z.unknown(),
  }),
]);

/** What a client sends. */
export type ClientMessage = z.infer<typeof clientMessageSchema>;

/** What a server sends. */
export type ServerMessage = z.infer<typeof serverMessageSchema>;

/** A message as a value, or null when the text is none of the schema's. */
export function decodeMessage<Message>(schema: z.ZodType<Message>, text: string): Message | null {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
