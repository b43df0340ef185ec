import { z } from 'zod';
import { basemapSettingsSchema, tileFactsSchema } from '../../basemap/basemap.ts';
import { command, stream } from '../define-contract.ts';
import { chooseFile, listFiles } from './chosen-files.ts';
import { maxPathLength, nothing } from './common.ts';

const basemapId = z.object({ basemapId: z.string().max(64) });
const path = z.string().max(maxPathLength);

/** A basemap in a list. */
const basemapSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['file', 'online']),
  /** Its file, or the server it is from. */
  place: z.string(),
  /** Whether its file came with a field pack, and goes with it. */
  isBrought: z.boolean(),
});

/** The map under the footprints. */
export const basemapsContract = {
  /** All of them and the one in use, and all again whenever something changes. */
  watch: stream({
    input: nothing,
    event: z.object({
      basemaps: z.array(basemapSummarySchema),
      /** The one in use; null is the bundled one. Facts are null while it is opened, and when it can't be. */
      used: z
        .object({
          id: z.string(),
          facts: tileFactsSchema.nullable(),
          problem: z.object({ why: z.string(), mend: z.string() }).nullable(),
        })
        .nullable(),
    }),
    errors: [],
  }),
  /** Adds a file and uses it. */
  addFile: command({
    input: z.object({ path }),
    output: basemapId,
    errors: ['basemap.unreadable', 'host.unsupported'],
  }),
  /** Adds tiles of a server and uses them. */
  addOnline: command({
    input: basemapSettingsSchema.options[1].omit({ kind: true, id: true }),
    output: basemapId,
    errors: [],
  }),
  rename: command({
    input: basemapId.extend({ name: z.string().trim().min(1).max(120) }),
    output: nothing,
    errors: ['basemap.not-found'],
  }),
  /** Takes it off the list. A person's own file stays; one that a field pack brought goes. */
  remove: command({ input: basemapId, output: nothing, errors: ['basemap.not-found'] }),
  /** Undoes `remove`, as long as the program runs; not of what a field pack brought. */
  restore: command({ input: basemapId, output: nothing, errors: ['basemap.not-found'] }),
  /** Null is the bundled one. The one in use is opened again. */
  use: command({
    input: z.object({ basemapId: z.string().max(64).nullable() }),
    output: nothing,
    errors: ['basemap.not-found'],
  }),
  chooseFile,
  listFiles,
};
