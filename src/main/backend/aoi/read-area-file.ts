import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { AreaReading } from '#shared/geo/area-reading.ts';
import { placeOfBox, type QueryPlace } from '#shared/geo/place-in-query.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { nameFile, tooLarge, unreadable } from './aoi-error.ts';
import { createAreaReader } from './area-reader.ts';
import { aoiLimits } from './limits.ts';

/** The area in a file, for a question. */
export interface AreaOfFile {
  place: QueryPlace;
  /** How it was understood, and what had to be done. */
  words: string;
  notes: readonly string[];
}

/**
 * Reads the area of a file on this computer, of any kind that the window takes.
 * @throws AppError `aoi.unreadable`, `aoi.too-large`, both naming the file
 */
export async function readAreaFile(filePath: string): Promise<AreaOfFile> {
  const name = basename(filePath);
  const bytes = await loadFile(filePath, name);
  const reader = createAreaReader();
  try {
    const { readings, mustAsk } = await reader.readFile({ name, bytes });
    const [reading, other] = readings;
    if (!reading || (mustAsk && other)) {
      throw nameFile(
        unreadable({
          why: `It can be read as ${reading?.words ?? 'nothing'} or as ${other?.words ?? 'nothing'}.`,
          mend: 'Say which with N, S, E and W.',
        }),
        name,
      );
    }
    return { place: placeOfReading(reading), words: reading.words, notes: reading.notes };
  } finally {
    await reader.close();
  }
}

function placeOfReading({ area }: AreaReading): QueryPlace {
  return area.kind === 'box' ? placeOfBox(area.bbox) : { intersects: area.geometry };
}

async function loadFile(filePath: string, name: string): Promise<Uint8Array> {
  try {
    await using file = await open(filePath);
    const { size } = await file.stat();
    if (size > aoiLimits.fileBytes) {
      throw tooLong(`has ${Math.ceil(size / 1e6).toLocaleString('en-GB')} MB`);
    }
    // A pipe and a device say nothing of their length.
    const chunks: Uint8Array[] = [];
    let readBytes = 0;
    for await (const chunk of file.createReadStream({ highWaterMark: 1_000_000, autoClose: false })) {
      chunks.push(chunk as Uint8Array);
      readBytes += (chunk as Uint8Array).byteLength;
      if (readBytes > aoiLimits.fileBytes) throw tooLong('is longer than that');
    }
    return Buffer.concat(chunks);
  } catch (thrown) {
    if (thrown instanceof AppError) throw nameFile(thrown, name);
    throw nameFile(
      unreadable({ why: 'The file can’t be opened.', mend: 'Check its name and that it may be read.' }),
      name,
    );
  }
}

function tooLong(words: string): AppError {
  return tooLarge({
    why: `Up to ${String(aoiLimits.fileBytes / 1e6)} MB are read; the file ${words}.`,
    mend: 'Save only the area itself, or a simpler one.',
  });
}
