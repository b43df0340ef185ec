import type { Geometry } from 'geojson';

/** A geometry in a file or a text. */
export interface FoundShape {
  geometry: Geometry;
  name: string | null;
  /** Where it stands, for messages: `Feature 3`; empty when there is only one. */
  place: string;
}

/** What a parser found, before anything is made of it. */
export interface FoundShapes {
  /** What it is: `GeoJSON`, `KML`. */
  format: string;
  shapes: readonly FoundShape[];
  /** Sentences about what was left out or assumed. */
  notes: readonly string[];
  name: string | null;
}
