import { statSync } from 'node:fs';
import { dirname } from 'node:path';

const nobody = { uid: 65_534, gid: 65_534 };
const othersMayEnter = 0o001;

/**
 * What `spawn` is given so that a program has no more rights than any user: root may write everywhere. Null on Windows,
 * and where root can't give them up because the program itself lies in a folder that is closed to others.
 */
export function asOrdinaryUser(): { uid?: number; gid?: number } | null {
  if (process.platform === 'win32') return null;
  if (process.getuid?.() !== 0) return {};
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder))
    if ((statSync(folder).mode & othersMayEnter) === 0) return null;
  return nobody;
}
