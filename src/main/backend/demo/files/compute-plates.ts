/**
 * Writes plate-states.ts anew: `node src/main/backend/demo/files/compute-plates.ts`, a minute or two.
 * To be run when plate kinds or their pixels change, and only then: the checksums of the whole catalog follow from it.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { plateKinds, type PlateKindName } from './plate-kinds.ts';
import { computePlateState } from './plate-states-compute.ts';

const lines = Object.entries(plateKinds).flatMap(([name, kind]) =>
  Array.from({ length: kind.variants }, (_, variant) => {
    const state = computePlateState({ name: name as PlateKindName, variant });
    process.stderr.write(`${name}/${variant}\n`);
    return `  '${name}/${variant}': '${state}',`;
  }),
);

writeFileSync(
  fileURLToPath(new URL('./plate-states.ts', import.meta.url)),
  `/** Hash states after header and pixels of each plate, in hex. Written by compute-plates.ts. */
export const plateStates: Readonly<Record<string, string>> = {
${lines.join('\n')}
};
`,
);
