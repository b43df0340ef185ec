import { join } from 'node:path';
import { readSettings } from '#shared/settings/settings.ts';
import type { SettingsStore } from '../backend/ports.ts';

/** Where the library of a catalog lies: libraries can be moved to another folder. */
export function findLibraryFile(
  id: string,
  { dataDir, settings }: { dataDir: string; settings: SettingsStore },
): string {
  return join(readSettings(settings.read()).libraryFolder ?? dataDir, `library-${id}.sqlite`);
}
