import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Disk, DiskFile } from '../disk.ts';

/** In [0, 1), the same every time. */
export type Random = () => number;

interface Write {
  position: number;
  bytes: Buffer;
}

interface Inode {
  /** What a power cut leaves in any case. */
  durable: Buffer;
  /** What it may leave all, some, or half of. */
  pending: (Write | { lengthBytes: number })[];
}

type NameChange = { folder: string; name: string; inode: Inode | 'folder' | null };

/** What a power cut at one moment may leave. */
export interface PowerLossImage {
  /** Writes one of the possible outcomes into an empty folder. */
  writeTo(root: string, random: Random): void;
}

/** A disk that knows what was synced. Everything below its root is empty at the beginning. */
export interface PowerLossDisk extends Disk {
  /** What a power cut now may leave. */
  image(): PowerLossImage;
}

/**
 * A disk that does as it is told and keeps a model beside it: written data is safe only after a sync of its file, a name
 * only after a sync of its folder; before that writes may be dropped, torn or reordered, and of the names of a folder
 * only the first few may be there (downloads.md d, I3). `onCall` is told before every change.
 */
export function createPowerLossDisk(disk: Disk, root: string, onCall: (name: string) => void): PowerLossDisk {
  const current = new Map<string, Inode | 'folder'>();
  const durable = new Map<string, Inode | 'folder'>();
  let pendingNames: NameChange[] = [];

  function change(path: string, inode: Inode | 'folder' | null): void {
    if (inode === null) current.delete(path);
    else current.set(path, inode);
    pendingNames.push({ folder: dirname(path), name: basename(path), inode });
  }

  function applyName(names: Map<string, Inode | 'folder'>, { folder, name, inode }: NameChange): void {
    if (inode === null) names.delete(join(folder, name));
    else names.set(join(folder, name), inode);
  }

  function wrap(file: DiskFile, inode: Inode): DiskFile {
    const settle = () => {
      inode.durable = applyAll(inode.durable, inode.pending);
      inode.pending = [];
    };
    return {
      ...file,
      async write(buffers, position) {
        onCall('write');
        const written = await file.write(buffers, position);
        inode.pending.push({ position, bytes: Buffer.concat(buffers).subarray(0, written) });
        return written;
      },
      async truncate(lengthBytes) {
        onCall('truncate');
        await file.truncate(lengthBytes);
        inode.pending.push({ lengthBytes });
      },
      async datasync() {
        onCall('datasync');
        await file.datasync();
        settle();
      },
      async sync() {
        onCall('sync');
        await file.sync();
        settle();
      },
    };
  }

  return {
    ...disk,
    async open(path, mode) {
      if (mode === 'create') onCall('create');
      const file = await disk.open(path, mode);
      if (mode === 'create') change(path, { durable: Buffer.alloc(0), pending: [] });
      const inode = current.get(path);
      return inode === undefined || inode === 'folder' || mode === 'read' ? file : wrap(file, inode);
    },
    async link(from, to) {
      onCall('link');
      await disk.link(from, to);
      change(to, current.get(from) ?? null);
    },
    async rename(from, to) {
      onCall('rename');
      await disk.rename(from, to);
      const inode = current.get(from) ?? null;
      change(to, inode);
      change(from, null);
    },
    async unlink(path) {
      onCall('unlink');
      await disk.unlink(path);
      change(path, null);
    },
    async mkdir(path) {
      onCall('mkdir');
      await disk.mkdir(path);
      change(path, 'folder');
    },
    async syncFolder(path) {
      onCall('syncFolder');
      await disk.syncFolder(path);
      for (const name of pendingNames) if (name.folder === path) applyName(durable, name);
      pendingNames = pendingNames.filter(({ folder }) => folder !== path);
    },
    image() {
      const names = new Map(durable);
      const laterNames = [...pendingNames];
      // What is synced after this moment must not be in the picture of it.
      const inodes = new Map(
        [...new Set([...current.values(), ...durable.values()])]
          .filter((inode) => inode !== 'folder')
          .map((inode) => [inode, { durable: inode.durable, pending: [...inode.pending] }]),
      );
      return {
        writeTo(target, random) {
          const left = new Map(names);
          const folders = new Set(laterNames.map(({ folder }) => folder));
          for (const folder of folders) {
            const changes = laterNames.filter((name) => name.folder === folder);
            const count = Math.floor(random() * (changes.length + 1));
            for (const name of changes.slice(0, count)) applyName(left, name);
          }
          write(target, left, (inode) => survivorOf(inodes.get(inode) ?? inode, random));
        },
      };
    },
  };

  function write(
    target: string,
    names: Map<string, Inode | 'folder'>,
    contentOf: (inode: Inode) => Buffer,
  ): void {
    const contents = new Map<Inode, Buffer>();
    for (const path of [...names.keys()].sort()) {
      const inode = names.get(path);
      const isReachable = dirname(path) === root || names.get(dirname(path)) === 'folder';
      if (inode === undefined || !isReachable) continue;
      const at = join(target, relative(root, path));
      if (inode === 'folder') {
        mkdirSync(at);
        continue;
      }
      const content = contents.get(inode) ?? contentOf(inode);
      contents.set(inode, content);
      writeFileSync(at, content);
    }
  }
}

function applyAll(content: Buffer, changes: Inode['pending']): Buffer {
  let result = content;
  for (const change of changes) {
    if ('lengthBytes' in change) result = resize(result, change.lengthBytes);
    else {
      result = resize(result, Math.max(result.length, change.position + change.bytes.length));
      change.bytes.copy(result, change.position);
    }
  }
  return result;
}

function resize(content: Buffer, lengthBytes: number): Buffer {
  const result = Buffer.alloc(lengthBytes);
  content.copy(result, 0, 0, Math.min(content.length, lengthBytes));
  return result;
}

// Each write came, came by half, or did not come; the size may be that of them all, with nothing but zeros in it.
function survivorOf({ durable, pending }: Inode, random: Random): Buffer {
  const kept = pending.flatMap((change) => {
    const luck = random();
    if (luck < 0.35) return [];
    if ('lengthBytes' in change || luck > 0.6) return [change];
    return [{ ...change, bytes: change.bytes.subarray(0, Math.floor(change.bytes.length / 2)) }];
  });
  const survivor = applyAll(durable, kept);
  const fullBytes = applyAll(durable, pending).length;
  return random() < 0.5 && fullBytes > survivor.length ? resize(survivor, fullBytes) : survivor;
}
