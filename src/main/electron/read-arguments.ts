import { parseArgs } from 'node:util';

interface ElectronArguments {
  dataDir?: string;
  /** Name or id of a catalog in the settings. */
  connection?: string;
  baseUrl?: string;
  /** Items of the demo catalog. */
  demoItems?: number;
}

/** What the program was started with. Chromium's own switches stand beside ours, so unknown ones are no error. */
export function readArguments(args: readonly string[]): ElectronArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'data-dir': { type: 'string' },
      connection: { type: 'string' },
      'base-url': { type: 'string' },
      'demo-items': { type: 'string' },
    },
    strict: false,
    allowPositionals: true,
  });
  const { connection, 'data-dir': dataDir, 'base-url': baseUrl } = values;
  const demoItems = Number(values['demo-items']);
  return {
    ...(typeof dataDir === 'string' ? { dataDir } : {}),
    ...(typeof connection === 'string' ? { connection } : {}),
    ...(typeof baseUrl === 'string' ? { baseUrl } : {}),
    ...(Number.isSafeInteger(demoItems) && demoItems > 0 ? { demoItems } : {}),
  };
}
