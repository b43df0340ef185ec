// Writes the hash states of the demo's large rasters anew, which takes a minute or two:
// `node_modules/.bin/node scripts/compute-plates.mjs`. To be run when plate kinds or their pixels change, and only
// then: the checksums of the whole demo catalog follow from them.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { plateKinds } from '../src/main/backend/demo/files/plate-kinds.ts';
import { computePlateState } from '../src/main/backend/demo/files/compute-plate-state.ts';

const names = /** @type {(keyof typeof plateKinds)[]} */ (Object.keys(plateKinds));
const lines = names.flatMap((name) =>
  Array.from({ length: plateKinds[name].variants }, (_, variant) => {
    const state = computePlateState({ name, variant });
    process.stderr.write(`${name}/${variant}\n`);
    return `  '${name}/${variant}': '${state}',`;
  }),
);

writeFileSync(
  fileURLToPath(new URL('../src/main/backend/demo/files/plate-states.ts', import.meta.url)),
  `/** Hash states after header and pixels of each plate, in hex. Written by scripts/compute-plates.mjs. */
export const plateStates: Readonly<Record<string, string>> = {
${lines.join('\n')}
};
`,
);
