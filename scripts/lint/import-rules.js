/**
 * Who may import whom (the table in CONTRIBUTING.md), as far as a single import statement shows it.
 * Layers inside the backend and the renderer are held by dependency-cruiser.
 */

const serverPackages =
  '^(node:|electron|better-sqlite3|fastify|@fastify/|got|conf|env-paths|p-queue|commander|ws)(/|$)?';
const nodeBuiltins =
  '^(assert|buffer|child_process|crypto|events|fs|http|https|module|net|os|path|stream|url|util|worker_threads|zlib)(/|$)';
const rawIpc = {
  name: 'electron',
  importNames: ['ipcMain', 'ipcRenderer'],
  message: 'Messages go through the pipe: src/main/electron/pipe and src/preload.',
};

/** @param {string} regex @param {string} message */
const never = (regex, message) => ({ regex, message });

const backendInternals = never(
  '(^|/)backend/(?!(backend|commands|ports)\\.ts$)',
  'A shell knows backend/backend.ts, backend/commands.ts and backend/ports.ts only.',
);
const noShell = (/** @type {string} */ name) => never(`^(\\./|(\\.\\./)+)${name}/`, `Not from ${name}/.`);
const electronFree = never('^electron', 'Only the Electron shell knows Electron.');
const screenPackages = never(
  '^(svelte|leaflet|terra-draw|bits-ui|virtua|@lucide)',
  'The backend has no screen.',
);
const preloadAndRenderer = never(
  '(^|/)(renderer|preload)/',
  'The main process knows neither window nor preload.',
);

/**
 * @param {string} name
 * @param {string[]} files
 * @param {{ patterns?: object[], paths?: object[], ignores?: string[] }} bans
 */
function imports(name, files, { patterns = [], paths = [], ignores = [] }) {
  return {
    name: `imports of ${name}`,
    files,
    ignores,
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns, paths }] },
  };
}

const backendBans = [
  electronFree,
  noShell('electron'),
  noShell('browser'),
  screenPackages,
  preloadAndRenderer,
];
const rendererBans = [
  never(serverPackages, 'The window has no Node: ask the backend through the contract.'),
  never(nodeBuiltins, 'The window has no Node: ask the backend through the contract.'),
  never('(^|/)(main|preload)/', 'The window knows the contract, not who answers it.'),
];
const leafletInMapOnly = never(
  '^(leaflet|terra-draw)',
  'Leaflet lives in renderer/src/map and nowhere else.',
);

const noOtherSide = never('(^|/)(main|renderer|preload)/', 'Shared code imports shared code and zod.');

export const importRules = [
  imports('shared', ['src/shared/**/*.ts'], {
    ignores: ['**/*.test.ts', '**/testing/**', 'src/shared/geo/**'],
    patterns: [
      never(
        '^(?!\\.{1,2}/|#shared/|zod(/|$)|geojson$)',
        'Shared code runs anywhere: it imports shared code and zod.',
      ),
      noOtherSide,
    ],
  }),
  // Window and backend must judge an area alike, so its geometry is shared; these libraries are pure functions.
  imports('shared geometry', ['src/shared/geo/**/*.ts'], {
    ignores: ['**/*.test.ts'],
    patterns: [
      never(
        '^(?!\\.{1,2}/|#shared/|zod(/|$)|geojson$|@turf/|polyclip-ts$)',
        'Geometry stands on @turf and polyclip-ts, which run anywhere.',
      ),
      noOtherSide,
    ],
  }),
  imports('the backend', ['src/main/backend/**/*.ts'], { patterns: backendBans }),
  imports('downloads', ['src/main/backend/downloads/**/*.ts'], {
    patterns: [
      ...backendBans,
      never('(^|/)catalog/', 'Downloads are handed resolveLink: they know no catalog.'),
    ],
  }),
  imports('the Electron shell', ['src/main/index.ts', 'src/main/electron/**/*.ts'], {
    patterns: [backendInternals, never('^(\\./|(\\.\\./)+)browser/', 'Shells do not know each other.')],
    paths: [rawIpc],
  }),
  imports('the Electron pipe', ['src/main/electron/pipe.ts', 'src/main/electron/pipe/**/*.ts'], {
    patterns: [backendInternals, never('^(\\./|(\\.\\./)+)browser/', 'Shells do not know each other.')],
  }),
  imports(
    'the other shells',
    ['src/main/browser.ts', 'src/main/cli.ts', 'src/main/{browser,command-line,host}/**/*.ts'],
    {
      // A test of a command may lay ready what the command finds.
      ignores: ['src/main/command-line/*.test.ts'],
      patterns: [
        electronFree,
        backendInternals,
        never('^(\\./|(\\.\\./)+)electron/', 'Shells do not know each other.'),
      ],
    },
  ),
  imports('preload', ['src/preload/**/*.ts'], {
    ignores: ['**/*.test.ts'],
    patterns: [
      {
        ...never('^(?!electron$)', 'Preload imports electron, and types of shared/rpc.'),
        allowTypeImports: true,
      },
      never(
        '^(?!electron$|#shared/rpc/|(\\.\\./)+shared/rpc/)',
        'Preload imports electron, and types of shared/rpc.',
      ),
    ],
  }),
  imports('the renderer', ['src/renderer/**/*.{ts,svelte}'], {
    patterns: [...rendererBans, leafletInMapOnly],
  }),
  imports('the map', ['src/renderer/src/map/**/*.{ts,svelte}'], { patterns: rendererBans }),
];
