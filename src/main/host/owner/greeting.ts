import { z } from 'zod';

/** The first line of a client: that it may read the owner's files, and which form of the contract it knows. */
export const greetingSchema = z.object({ token: z.string(), version: z.number().int() });

/** What the owner answers to the right token. */
export const welcomeSchema = z.object({ version: z.number().int(), pid: z.number().int() });

/** What the owner answers to the right token. */
export type Welcome = z.infer<typeof welcomeSchema>;

/** For how long each side waits for the other's first line. */
export const greetingMs = 10_000;

/** The longest first line, in bytes. */
export const maxGreetingBytes = 4096;

/** The longest message, in bytes; the router's own limit is in characters. */
export const maxMessageBytes = 64 * 1024 * 1024;
