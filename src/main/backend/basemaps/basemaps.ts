import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { findTemplateProblem, type BasemapSettings, type TileFacts } from '#shared/basemap/basemap.ts';
import { AppError, isAppError, toAppError } from '#shared/errors/app-error.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Ports } from '../ports.ts';
import type { SettingsHolder } from '../settings/settings-holder.ts';
import { isBrought, listBrought } from './brought-basemaps.ts';
import { createBasemapFiles, type BasemapFiles } from './basemap-files.ts';
import { checkTile } from './check-tile.ts';
import { openFileTiles, type FileTiles } from './file-tiles.ts';
import { createOnlineTiles, type OnlineTiles } from './online-tiles.ts';
import { checkRasterTile } from './raster-tile.ts';
import { createTileCache } from './tile-cache.ts';
import type { TileAddress } from './tile-set.ts';

/** Tiles of all servers together may take about this much for each of them. */
const maxCacheBytes = 256 * 1024 * 1024;

/** A tile as a window gets it. */
export interface ServedTile {
  bytes: Buffer;
  mediaType: string;
  /** When it was fetched from a server; null for a tile of a file. */
  fetchedAtMs: number | null;
}

/** What the window is told. */
export interface BasemapsState {
  basemaps: { id: string; name: string; kind: 'file' | 'online'; place: string; isBrought: boolean }[];
  used: {
    id: string;
    facts: TileFacts | null;
    problem: { why: string; mend: string } | null;
  } | null;
}

/** The basemaps of a person, and the tiles of the one in use. */
export interface Basemaps {
  readonly state: BasemapsState;
  /** Called after every change; returns the way to stop. */
  onChange(listener: () => void): () => void;
  readonly files: BasemapFiles;
  /** Adds a file and uses it; one that is there already is used again. @throws AppError `basemap.unreadable` */
  addFile(path: string): Promise<string>;
  /** Adds tiles of a server and uses them. @throws AppError `input.invalid` */
  addOnline(given: { name: string; urlTemplate: string; attribution: string; maxZoom: number }): string;
  /** @throws AppError `basemap.not-found` */
  rename(id: string, name: string): void;
  /** Takes it off the list. A person's file stays; one that a field pack brought goes. @throws AppError `basemap.not-found` */
  remove(id: string): Promise<void>;
  /** Undoes `remove`, as long as the program runs; not of what a field pack brought. @throws AppError `basemap.not-found` */
  restore(id: string): void;
  /** Null is the bundled one. @throws AppError `basemap.not-found` */
  use(id: string | null): void;
  /** A tile of the basemap in use; null where there is none. @throws AppError `basemap.unreadable`, `basemap.not-found` */
  tile(id: string, address: TileAddress, signal?: AbortSignal): Promise<ServedTile | null>;
  /** Puts what a field pack brought on the list. */
  takeBrought(): void;
  close(): Promise<void>;
}

interface BasemapsParts {
  ports: Pick<Ports, 'desktop' | 'homeDir' | 'dataDir' | 'clock' | 'logger'>;
  settings: SettingsHolder;
  /** Without a token. */
  http: HttpClient;
}

/** The basemap in use, from the moment on when it was chosen. */
interface Used {
  id: string;
  opened: Promise<Opened>;
  facts: TileFacts | null;
  problem: AppError | null;
}

interface Opened {
  facts: TileFacts;
  tile(address: TileAddress, signal?: AbortSignal): Promise<ServedTile | null>;
  close(): Promise<void>;
}

/** Builds the basemaps and opens the one that was in use. */
export function createBasemaps(parts: BasemapsParts): Basemaps {
  return new BasemapList(parts);
}

class BasemapList implements Basemaps {
  readonly files: BasemapFiles;
  readonly #parts: BasemapsParts;
  readonly #listeners = new Set<() => void>();
  readonly #removed = new Map<string, BasemapSettings>();
  #used: Used | null = null;

  constructor(parts: BasemapsParts) {
    this.#parts = parts;
    this.files = createBasemapFiles(parts.ports);
    this.#adoptBrought();
    this.#open(parts.settings.current.basemapId);
  }

  get state(): BasemapsState {
    const used = this.#used;
    return {
      basemaps: this.#all.map((one) => ({
        id: one.id,
        name: one.name,
        kind: one.kind,
        place: one.kind === 'file' ? one.path : new URL(one.urlTemplate.replace(/[{}]/g, '')).host,
        isBrought: one.kind === 'file' && isBrought(this.#parts.ports.dataDir, one.path),
      })),
      used: used && { id: used.id, facts: used.facts, problem: used.problem && toProblem(used.problem) },
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async addFile(path: string): Promise<string> {
    if (!this.files.mayOpen(path)) {
      throw new AppError('basemap.unreadable', 'Only a file that was chosen in the dialog can be used', {
        details: { file: basename(path), why: 'It was not chosen in the dialog.', mend: 'Choose it there.' },
      });
    }
    const known = this.#all.find((one) => one.kind === 'file' && one.path === path);
    const tiles = await openReadable(path);
    const name = tiles.name || basename(path, extname(path)).slice(0, 120);
    const id = known?.id ?? randomUUID();
    if (!known) this.#add({ kind: 'file', id, name, path });
    this.#use(id, Promise.resolve(toOpened(tiles)));
    return id;
  }

  addOnline({ name, urlTemplate, attribution, maxZoom }: Parameters<Basemaps['addOnline']>[0]): string {
    const why = findTemplateProblem(urlTemplate);
    if (why !== null) {
      throw new AppError('input.invalid', `urlTemplate: ${why}`, { details: { field: 'urlTemplate', why } });
    }
    const id = randomUUID();
    this.#add({ kind: 'online', id, name, urlTemplate, attribution, maxZoom });
    this.use(id);
    return id;
  }

  rename(id: string, name: string): void {
    this.#find(id);
    this.#parts.settings.change({
      basemaps: this.#all.map((one) => (one.id === id ? { ...one, name } : one)),
    });
    this.#tell();
  }

  async remove(id: string): Promise<void> {
    const basemap = this.#find(id);
    const left = this.#used?.id === id ? this.#leave() : null;
    if (left) this.use(null);
    this.#parts.settings.change({ basemaps: this.#all.filter((one) => one.id !== id) });
    this.#tell();
    const goesForGood = basemap.kind === 'file' && isBrought(this.#parts.ports.dataDir, basemap.path);
    if (!goesForGood) this.#removed.set(id, basemap);
    await left;
    if (basemap.kind === 'online') await rm(this.#cacheFolder(id), { recursive: true, force: true });
    else if (goesForGood) await rm(basemap.path, { force: true });
  }

  restore(id: string): void {
    const basemap = this.#removed.get(id);
    if (!basemap) return void this.#find(id);
    this.#removed.delete(id);
    this.#add(basemap);
    this.#tell();
  }

  use(id: string | null): void {
    if (id !== null) this.#find(id);
    this.#use(id);
  }

  async tile(id: string, address: TileAddress, signal?: AbortSignal): Promise<ServedTile | null> {
    const used = this.#used;
    if (used?.id !== id) throw new AppError('basemap.not-found', 'That basemap is not in use');
    const opened = await used.opened;
    try {
      return await opened.tile(address, signal);
    } catch (thrown) {
      if (isAppError(thrown, 'basemap.unreadable') && !used.problem) {
        used.problem = thrown;
        this.#parts.ports.logger.warn('basemap damaged', { message: thrown.message });
        this.#tell();
      }
      throw thrown;
    }
  }

  takeBrought(): void {
    this.#adoptBrought();
    this.#tell();
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await this.#leave();
  }

  get #all(): readonly BasemapSettings[] {
    return this.#parts.settings.current.basemaps;
  }

  #add(basemap: BasemapSettings): void {
    this.#parts.settings.change({ basemaps: [...this.#all, basemap] });
  }

  // Also at start: a command may have taken in a field pack while no window was there.
  #adoptBrought(): void {
    for (const { name, path } of listBrought(this.#parts.ports.dataDir)) {
      if (this.#all.some((one) => one.kind === 'file' && one.path === path)) continue;
      this.#add({ kind: 'file', id: randomUUID(), name, path });
    }
  }

  #use(id: string | null, opened?: Promise<Opened>): void {
    this.#parts.settings.change({ basemapId: id });
    this.#open(id, opened);
    this.#tell();
  }

  /** Opens another one, unless it is open already, and closes the last one. */
  #open(id: string | null, already?: Promise<Opened>): void {
    void this.#leave();
    const basemap = this.#all.find((one) => one.id === id);
    if (!basemap) return;
    const used: Used = {
      id: basemap.id,
      opened: already ?? this.#openNow(basemap),
      facts: null,
      problem: null,
    };
    this.#used = used;
    void used.opened
      .then(
        ({ facts }) => (used.facts = facts),
        (thrown: unknown) => {
          used.problem = toAppError(thrown);
          this.#parts.ports.logger.warn('basemap not opened', { message: used.problem.message });
        },
      )
      .then(() => this.#tell());
  }

  async #leave(): Promise<void> {
    const left = this.#used;
    this.#used = null;
    await (await left?.opened.catch(() => null))?.close();
  }

  async #openNow(basemap: BasemapSettings): Promise<Opened> {
    if (basemap.kind === 'online') return this.#openOnline(basemap);
    return toOpened(await openFileTiles(basemap.path));
  }

  #openOnline(basemap: BasemapSettings & { kind: 'online' }): Opened {
    const { clock, logger } = this.#parts.ports;
    const cache = createTileCache({ folder: this.#cacheFolder(basemap.id), maxBytes: maxCacheBytes });
    const { urlTemplate, attribution, maxZoom } = basemap;
    // The settings are a file that people edit.
    const tiles: OnlineTiles | null =
      findTemplateProblem(urlTemplate) === null
        ? createOnlineTiles({ urlTemplate, maxZoom, cache, http: this.#parts.http, clock, logger })
        : null;
    return {
      facts: { tiles: 'raster', minZoom: 0, maxZoom, bounds: null, attribution },
      async tile(address, signal) {
        const found = await tiles?.tile(address, signal);
        const mediaType = found && checkRasterTile(found.bytes);
        return found && mediaType ? { ...found, mediaType } : null;
      },
      close: () => Promise.resolve(),
    };
  }

  #cacheFolder(id: string): string {
    return join(this.#parts.ports.dataDir, 'basemap-tiles', id);
  }

  #find(id: string): BasemapSettings {
    const found = this.#all.find((one) => one.id === id);
    if (!found) throw new AppError('basemap.not-found', 'That basemap is no longer in the list');
    return found;
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Opens a file of which at least a tile can be read. @throws AppError `basemap.unreadable` */
async function openReadable(path: string): Promise<FileTiles> {
  const tiles = await openFileTiles(path);
  try {
    await tiles.probe();
    return tiles;
  } catch (thrown) {
    await tiles.close();
    throw thrown;
  }
}

function toOpened(tiles: FileTiles): Opened {
  const { facts } = tiles;
  return {
    facts,
    async tile(address) {
      const bytes = await tiles.tile(address);
      if (bytes === null) return null;
      const mediaType = checkTile(bytes, facts);
      return mediaType === null ? null : { bytes, mediaType, fetchedAtMs: null };
    },
    close: () => tiles.close(),
  };
}

function toProblem({ message, details }: AppError): { why: string; mend: string } {
  const { why, mend } = details;
  return typeof why === 'string' && typeof mend === 'string' ? { why, mend } : { why: message, mend: '' };
}
