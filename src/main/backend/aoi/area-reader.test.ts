import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8 } from 'fflate';
import { afterEach, describe, expect, it } from 'vitest';
import { isAppError, type AppError } from '#shared/errors/app-error.ts';
import { createAreaReader, type AreaReader } from './area-reader.ts';
import { readAreaFile } from './read-area-file.ts';

const readers: AreaReader[] = [];

function open(options: Parameters<typeof createAreaReader>[0] = {}): AreaReader {
  const reader = createAreaReader(options);
  readers.push(reader);
  return reader;
}

afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
});

async function failureOf(reading: Promise<unknown>): Promise<AppError> {
  const thrown: unknown = await reading.then(
    () => null,
    (error: unknown) => error,
  );
  if (isAppError(thrown)) return thrown;
  throw new Error('it was read');
}

/** Circles that overlap so much that uniting them takes minutes. */
function makeSlowFile(): Uint8Array {
  const features = Array.from({ length: 60 }, (_, n) => ({
    type: 'Feature',
    geometry: {
      type: 'Polygon',
      coordinates: [
        Array.from({ length: 1001 }, (_, i) => {
          const angle = ((i % 1000) / 500) * Math.PI;
          const radius = 10 + Math.sin(angle * 97 + n);
          return [n * 0.11 + Math.cos(angle) * radius, n * 0.07 + Math.sin(angle) * radius];
        }),
      ],
    },
  }));
  return strToU8(JSON.stringify({ type: 'FeatureCollection', features }));
}

// Starting a thread takes a second where several tests share two cores.
describe('reading beside the event loop', () => {
  it('reads one after the other and names a file that fails', async () => {
    const reader = open();
    const [place, failure, again] = await Promise.all([
      reader.readText('51.5 N 0.12 W'),
      failureOf(reader.readFile({ name: 'field.kml', bytes: strToU8('<kml') })),
      reader.readText('31UFP'),
    ]);
    expect(place.readings[0]?.words).toBe('51.5° N, 0.12° W');
    expect(again.readings[0]?.words).toMatch(/^MGRS/);
    expect(failure).toMatchObject({ code: 'aoi.unreadable', details: { file: 'field.kml' } });
  });

  it('gives up what takes too long, and reads the next', async () => {
    const reader = open({ readMs: 2000 });
    const failure = failureOf(reader.readFile({ name: 'slow.geojson', bytes: makeSlowFile() }));
    const next = reader.readText('51.5 N 0.12 W');
    expect(await failure).toMatchObject({
      code: 'aoi.too-large',
      details: { file: 'slow.geojson', why: /longer than 2 s/ },
    });
    expect((await next).readings).toHaveLength(1);
  });

  it('gives up what takes too much memory, and reads the next', async () => {
    const reader = open({ heapMegabytes: 24 });
    const kml = `<kml>${'<Placemark><name>x</name></Placemark>'.repeat(200_000)}</kml>`;
    const failure = await failureOf(reader.readFile({ name: 'fat.kml', bytes: strToU8(kml) }));
    expect(failure).toMatchObject({ code: 'aoi.too-large', details: { why: /24 MB of memory/ } });
    expect((await reader.readText('51.5 N 0.12 W')).readings).toHaveLength(1);
  });

  it('leaves off when nobody waits any more', async () => {
    const reader = open();
    const abort = new AbortController();
    const failure = failureOf(reader.readFile({ name: 'slow.geojson', bytes: makeSlowFile() }, abort.signal));
    abort.abort();
    expect((await failure).code).toBe('cancelled');
    expect((await reader.readText('51.5 N 0.12 W')).readings).toHaveLength(1);
  });
});

describe('a file named on the command line', () => {
  it('becomes the place of a question, or an error that names it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'swath-aoi-'));
    try {
      const filePath = join(folder, 'two.txt');
      writeFileSync(filePath, '10 S 170 E\n5 N 170 W\n');
      const { place, words } = await readAreaFile(filePath);
      expect(place.intersects).toMatchObject({ type: 'MultiPolygon' });
      expect(words).toMatch(/box between two corners/);
      writeFileSync(filePath, '51.5, -0.12');
      expect(await failureOf(readAreaFile(filePath))).toMatchObject({
        details: { file: 'two.txt', why: /or as/ },
      });
      expect(await failureOf(readAreaFile(join(folder, 'none.kml')))).toMatchObject({
        code: 'aoi.unreadable',
        details: { file: 'none.kml' },
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
