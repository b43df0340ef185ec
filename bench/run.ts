import { measure, type BenchResult } from './bench.ts';
import { boundHeaps } from '../src/main/host/bound-heaps.ts';

// As in the program. Heaps grow while benches are loaded, so that this comes before.
boundHeaps();
const { benches } = await import('./benches.ts');
const { removeMillionLibrary } = await import('./million-library.ts');
const isJson = process.argv.includes('--json');
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
// Several lines of one bench are asked for by what stands before the colon.
const isMeant = (bench: string, name: string) => bench === name || bench.startsWith(`${name}:`);
const unknown = names.filter((name) => !benches.some((bench) => isMeant(bench.name, name)));
if (unknown.length > 0) {
  console.error(
    `No such bench: ${unknown.join(', ')}. There are: ${benches.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

// Less makes no difference that can be seen.
const noticedPercent = 3;
const results: BenchResult[] = [];
for (const bench of benches.filter(
  ({ name }) => names.length === 0 || names.some((asked) => isMeant(name, asked)),
)) {
  const { note, ...result } = await measure(bench);
  results.push(result);
  if (!isJson) console.log(toLine(result, 'limit' in bench.target, note));
  else if (note) console.error(`${result.name}: ${note}`);
}
await removeMillionLibrary();
if (isJson) console.log(JSON.stringify(results));
process.exitCode = results.some(({ met }) => met === false) ? 1 : 0;

function toLine(result: BenchResult, hasLimit: boolean, note: string): string {
  const { name, ours, reference, ratio, target, met, unit } = result;
  if (ours === null || reference === null || ratio === null) return `${name}: not measured (${note})`;
  const verdict = met ? 'met' : 'NOT met';
  const goal = hasLimit ? `ours ≤ ${target} ${unit}` : `ratio ≤ ${target}`;
  const stolen = result.stolenPercent ?? 0;
  const excuse =
    stolen < noticedPercent ? '' : ` (the host gave ${stolen.toFixed(0)} % of the time to others)`;
  return `${name}: ours ${ours.toFixed(2)} ${unit}, reference ${reference.toFixed(2)} ${unit}, ratio ${ratio.toFixed(2)}, target ${goal}: ${verdict}${excuse}`;
}
