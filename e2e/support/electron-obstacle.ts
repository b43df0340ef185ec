import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Why Electron can't be run here, or null. Never fetches it: tests must not depend on the network. */
export function findElectronObstacle(): string | null {
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join('node_modules', 'electron', 'dist');
  if (!existsSync(folder)) return "Electron's runtime is not installed";
  if (process.platform !== 'linux') return null;
  if (!process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) return 'there is no display';
  // Chromium's sandbox doesn't start for root, and these tests are about it.
  return process.getuid?.() === 0 ? 'Electron does not run as root' : null;
}
