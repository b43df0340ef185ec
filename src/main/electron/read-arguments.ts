import { parseArgs } from 'node:util';

/** What the program was started with. Chromium's own switches stand beside ours, so unknown ones are no error. */
export function readArguments(args: readonly string[]): {
  dataDir?: string | undefined;
  baseUrl?: string | undefined;
} {
  const { values } = parseArgs({
    args: [...args],
    options: { 'data-dir': { type: 'string' }, 'base-url': { type: 'string' } },
    strict: false,
    allowPositionals: true,
  });
  const [dataDir, baseUrl] = [values['data-dir'], values['base-url']];
  return {
    ...(typeof dataDir === 'string' ? { dataDir } : {}),
    ...(typeof baseUrl === 'string' ? { baseUrl } : {}),
  };
}
