import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Why a file was put aside: its rows are still being read, it is damaged, another took its place. */
export type AsideState = 'recovering' | 'damaged' | 'replaced';

/** A file that was put aside. It is never deleted by the program. */
export interface AsideFile {
  path: string;
  state: AsideState;
}

const suffixes = ['', '-wal', '-shm'];

/** Renames a library's file with what lies beside it: `library-demo.damaged-2026-11-20-160312.sqlite`. */
export function setAside(filePath: string, reason: { state: AsideState; nowMs: number }): string {
  const target = nameAside(filePath, reason);
  renameDatabase(filePath, target);
  return target;
}

/** The path that a file gets when it is put aside. */
export function nameAside(filePath: string, { state, nowMs }: { state: AsideState; nowMs: number }): string {
  const stem = filePath.replace(/\.sqlite$/, '');
  let target = `${stem}.${state}-${toStamp(nowMs)}.sqlite`;
  for (let number = 2; existsSync(target); number += 1) {
    target = `${stem}.${state}-${toStamp(nowMs)}-${String(number)}.sqlite`;
  }
  return target;
}

/** Gives a file that was put aside another state. */
export function changeAside(filePath: string, from: AsideState, to: AsideState): string {
  const target = join(dirname(filePath), basename(filePath).replace(`.${from}-`, `.${to}-`));
  if (target !== filePath) renameDatabase(filePath, target);
  return target;
}

/** What was put aside of a library, the oldest first. */
export function listAside(filePath: string): AsideFile[] {
  const stem = basename(filePath).replace(/\.sqlite$/, '');
  const folder = dirname(filePath);
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${stem}.`) && name.endsWith('.sqlite'))
    .sort()
    .flatMap((name) => {
      const state = /^\.(recovering|damaged|replaced)-\d/.exec(name.slice(stem.length))?.[1];
      return state ? [{ path: join(folder, name), state: state as AsideState }] : [];
    });
}

/** A moment as file names have it, in UTC: `2026-11-20-160312`. */
export function toStamp(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '');
}

/**
 * Renames a SQLite file with what lies beside it; none is no error. The journal goes first: one left behind would be taken
 * for that of the next file under this name.
 */
export function renameDatabase(from: string, to: string): void {
  for (const suffix of suffixes.toReversed()) {
    if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
  }
}
