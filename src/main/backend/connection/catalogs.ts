import type { Library } from '../library/library.ts';
import type { Connection } from './connection.ts';

/** A catalog that is open: the way to it, and what is kept of it. */
export interface OpenCatalog {
  /** Names its files in the data folder, its pictures and its transfers: `demo`, or the connection's id. */
  readonly id: string;
  readonly connection: Connection;
  readonly library: Library;
}

/** The catalogs that are open. The window works with one of them at a time. */
export interface Catalogs {
  /** The one in use. Ask for it anew in each call: it changes when a person chooses another. */
  readonly current: OpenCatalog;
  /** Called when another one is in use, and when the status of the one in use changes; returns the way to stop. */
  onChange(listener: () => void): () => void;
}
