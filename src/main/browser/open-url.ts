import { spawn } from 'node:child_process';

/** Whether a browser could show a window here. */
export function hasDisplay(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}

/** Opens a URL in the user's browser. The URL was printed as well, so a failure is not told. */
export function openUrl(url: string): void {
  const [program, args] = openingCommand(process.platform, url);
  // No shell: the URL is an argument and nothing else.
  const child = spawn(program, args, { stdio: 'ignore', detached: true, shell: false });
  child.on('error', () => undefined);
  child.unref();
}

function openingCommand(platform: NodeJS.Platform, url: string): [program: string, args: string[]] {
  if (platform === 'darwin') return ['open', [url]];
  // `start` is a word of cmd.exe, not a program; this is what it ends up calling for a URL.
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]];
  return ['xdg-open', [url]];
}
