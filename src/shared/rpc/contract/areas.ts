import { z } from 'zod';
import { geometrySchema } from '../../stac/geometry.ts';
import { command, query, stream } from '../define-contract.ts';
import { nothing } from './common.ts';

const areaId = z.object({ areaId: z.number().int() });
const areaName = z.string().trim().min(1).max(120);

/** A kept area in a list. */
export const keptAreaSchema = z.object({
  areaId: z.number().int(),
  name: z.string(),
  areaKm2: z.number(),
  vertexCount: z.number().int(),
});

/** Areas that a person keeps under a name. */
export const areasContract = {
  /** All of them by name, and all again whenever one changes. */
  watch: stream({ input: nothing, event: z.object({ areas: z.array(keptAreaSchema) }), errors: [] }),
  get: query({
    input: areaId,
    output: z.object({ name: z.string(), geometry: geometrySchema }),
    errors: ['saved.not-found'],
  }),
  keep: command({
    input: z.object({ name: areaName, geometry: geometrySchema }),
    output: areaId,
    errors: ['saved.name-taken'],
  }),
  rename: command({
    input: areaId.extend({ name: areaName }),
    output: nothing,
    errors: ['saved.not-found', 'saved.name-taken'],
  }),
  /** What was removed comes back, so that it can be kept again. */
  remove: command({
    input: areaId,
    output: z.object({ name: z.string(), geometry: geometrySchema }),
    errors: ['saved.not-found'],
  }),
};
