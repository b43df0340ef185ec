import { z } from 'zod';
import { checkStepSchema } from '../../connection/check-step.ts';
import { connectionListSchema } from '../../connection/connection-list.ts';
import { connectionDraftSchema } from '../../connection/connection-settings.ts';
import { maxEnvironmentLength } from '../../connection/environment-limit.ts';
import { linkModeSchema } from '../../transfer/transfer.ts';
import { command, stream } from '../define-contract.ts';
import { nothing } from './common.ts';

const connectionRef = z.object({ connectionId: z.string() });

/** The catalogs that Swath knows, and the one in use. */
export const connectionContract = {
  /** The catalog in use and whether it answers. */
  watch: stream({
    input: nothing,
    event: z.object({
      /** Names it in calls, in the paths of its pictures and in the settings. */
      connectionId: z.string(),
      name: z.string(),
      kind: z.enum(['demo', 'remote']),
      baseUrl: z.string().nullable(),
      /** Which download links are used unless another kind is chosen. */
      links: linkModeSchema,
      state: z.enum(['starting', 'online', 'offline', 'faulty', 'unauthorized', 'failed']),
      /** Sentence for the log; null when all is well. */
      problem: z.string().nullable(),
      /** Catalog requests on their way now. */
      activeRequests: z.number().int(),
      /** Those that wait for their turn. */
      waitingRequests: z.number().int(),
      /** Until when the service asked for patience, RFC 3339; null when it didn't. */
      heldUntil: z.string().nullable(),
      maxRequests: z.number().int(),
    }),
    errors: [],
  }),
  retry: command({ input: nothing, output: nothing, errors: [] }),
  /** All catalogs, and how those that are open are doing. */
  list: stream({ input: nothing, event: connectionListSchema, errors: [] }),
  /** Adds a catalog, or changes one. A secret goes this way once and never comes back. */
  save: command({
    input: connectionDraftSchema,
    output: connectionRef,
    errors: ['connection.not-found', 'saved.name-taken'],
  }),
  /** Forgets a catalog and its secret; its transfers fail when they next need a link. */
  remove: command({ input: connectionRef, output: nothing, errors: ['connection.not-found'] }),
  /** Tries a catalog step by step, as it is written down; the last event is the one that is done. */
  check: stream({
    input: connectionDraftSchema,
    event: z.object({ steps: z.array(checkStepSchema), isDone: z.boolean() }),
    errors: [],
  }),
  /**
   * Sets up a service whose users have its addresses and credentials in their environment already: from the program's
   * own (`text` is null) or from the text of a `.env` file.
   */
  importEnvironment: command({
    input: z.object({
      text: z.string().max(maxEnvironmentLength).nullable(),
    }),
    output: connectionRef,
    errors: ['saved.name-taken'],
  }),
  /** Takes a catalog into use, for every window. Transfers from others go on. */
  select: command({
    input: connectionRef,
    output: nothing,
    errors: ['connection.not-found', 'library.newer-schema'],
  }),
};
