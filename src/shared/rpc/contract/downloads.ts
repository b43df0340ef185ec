import { z } from 'zod';
import { linkModeSchema, transferSchema } from '../../transfer/transfer.ts';
import { command, stream } from '../define-contract.ts';
import { catalogErrors, itemRef, maxPathLength, nothing } from './common.ts';

/** The download queue. */
export const downloadsContract = {
  start: command({
    input: itemRef.extend({
      assetKeys: z.array(z.string().max(1000)).min(1).max(2000),
      destination: z.string().min(1).max(maxPathLength),
      links: linkModeSchema,
    }),
    output: z.object({ downloadId: z.number().int() }),
    errors: [
      ...catalogErrors,
      'connection.not-found',
      'stac.item-not-found',
      'stac.collection-not-found',
      'stac.asset-not-found',
      'link.none',
      'transfer.destination-missing',
      'transfer.destination-not-writable',
    ],
  }),
  pause: command({
    input: z.object({ transferId: z.number().int() }),
    output: nothing,
    errors: ['transfer.not-found'],
  }),
  /** Goes on with a paused transfer, or tries a failed one again. */
  resume: command({
    input: z.object({ transferId: z.number().int() }),
    output: nothing,
    errors: ['transfer.not-found'],
  }),
  cancel: command({
    input: z.object({ transferId: z.number().int() }),
    output: nothing,
    errors: ['transfer.not-found'],
  }),
  /** Takes a settled transfer off the list; files stay. */
  remove: command({
    input: z.object({ transferId: z.number().int() }),
    output: nothing,
    errors: ['transfer.not-found'],
  }),
  /** First all transfers, then those that changed, at most 4 times a second. */
  watch: stream({
    input: nothing,
    event: z.object({ changed: z.array(transferSchema), removed: z.array(z.number().int()) }),
    errors: [],
  }),
};
