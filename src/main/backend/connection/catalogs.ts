import type { ConnectionSettings } from '#shared/connection/connection-settings.ts';
import type { LinkMode } from '#shared/transfer/transfer.ts';
import type { RequestGate } from '../http/request-gate.ts';
import type { Library } from '../library/library.ts';
import type { LibraryKeeper } from '../library/upkeep/library-keeper.ts';
import type { Connection, ConnectionStatus } from './connection.ts';

/** A catalog that is open: the way to it, and what is kept of it. */
export interface OpenCatalog {
  /** Names its files in the data folder, its pictures and its transfers: `demo`, or the connection's id. */
  readonly id: string;
  readonly connection: Connection;
  readonly library: Library;
}

/** A catalog that Swath knows, open or not. */
export interface CatalogEntry {
  id: string;
  name: string;
  kind: 'demo' | 'remote';
  links: LinkMode;
  maxRequests: number;
  /** As it is in the settings; null for the demo catalog, and for one that only the command line names. */
  settings: ConnectionSettings | null;
  /** Null for the demo catalog while it isn't served. */
  baseUrl: string | null;
  /** Null while it is not open. */
  status: ConnectionStatus | null;
}

/** The catalogs. The window works with one of them at a time; others are open where transfers need them. */
export interface Catalogs {
  /** The one in use. Ask for it anew in each call: it changes when a person chooses another. */
  readonly current: OpenCatalog;
  /** Called when another one is in use, and when the list or a status in it changes; returns the way to stop. */
  onChange(listener: () => void): () => void;
  /** All of them: the demo catalog first. */
  list(): CatalogEntry[];
  /** Opens one if it isn't open yet. @throws AppError `connection.not-found`, `library.*` */
  open(id: string): OpenCatalog;
  /** One that is open; null otherwise. */
  find(id: string): OpenCatalog | null;
  /** Looks after the file of a library that is open; null for one that isn't. */
  findKeeper(id: string): LibraryKeeper | null;
  /** Counts the requests of the account on an address's server; null where nothing was asked of it yet. */
  findGate(baseUrl: string): RequestGate | null;
  /** Takes one into use, and remembers it. @throws AppError `connection.not-found`, `library.*` */
  select(id: string): void;
  /** Connects anew with the secret that a person has typed, which counts more than one of the command line. */
  reconnect(id: string): void;
  close(): Promise<void>;
}
