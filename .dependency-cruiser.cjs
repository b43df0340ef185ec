/**
 * Who may reach whom, through any number of files. What one import statement shows is in scripts/lint/import-rules.js.
 * @param {string} name
 * @param {string} comment
 * @param {{ from: object, to: object }} rule
 */
const forbid = (name, comment, { from, to }) => ({ name, comment, severity: 'error', from, to });

const backend = '^src/main/backend';
const tests = '\\.test\\.ts$';

/** Lowest first. A folder may import its own layer and those before it. */
const backendLayers = [
  ['http', 'log', 'sqlite'],
  ['catalog', 'links', 'library', 'notebook', 'settings', 'aoi'],
  ['downloads', 'service', 'folders'],
  ['demo'],
  ['connection'],
  ['thumbnails', 'selection', 'exchange', 'sharing', 'basemaps'],
  ['offline', 'pack', 'rules'],
  ['upkeep'],
  ['api'],
];

/** The same within `downloads/`. */
const downloadLayers = [
  ['tasks'],
  ['file'],
  ['limits', 'output'],
  ['handover'],
  ['queue'],
  ['run'],
  ['fetch'],
  ['transfer'],
  ['schedule'],
  ['actions'],
];

/**
 * @param {string} root
 * @param {string[][]} layers
 */
const layering = (root, layers) =>
  layers.slice(0, -1).map((layer, index) => {
    const above = layers.slice(index + 1).flat();
    const inRoot = root.split('/').at(-1);
    return forbid(
      `${inRoot}-${layer.join('-')}-below-${above.join('-')}`,
      layers.map((names) => names.join(' ')).join(' <- '),
      {
        from: { path: `${root}/(${layer.join('|')})/`, pathNot: tests },
        to: { path: `${root}/(${above.join('|')})/` },
      },
    );
  });

const rendererFolders = 'src/renderer/src';

module.exports = {
  forbidden: [
    forbid('no-cycles', 'Two files that need each other are one file, or lack a third.', {
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    }),
    forbid('no-electron-outside-its-shell', 'The browser shell and the command line run without Electron.', {
      from: { path: '^src/main/(browser|cli)\\.ts$' },
      to: { path: '(^|/)node_modules/electron(-store)?/|^electron$', reachable: true },
    }),
    forbid('no-shell-in-backend', 'The backend knows no shell.', {
      from: { path: backend },
      to: {
        path: '^src/main/(electron/|browser/|command-line/|host/|index\\.ts|browser\\.ts|cli\\.ts)',
        reachable: true,
      },
    }),
    forbid('no-shell-in-shell', 'Shells do not know each other.', {
      from: { path: '^src/main/(electron/|index\\.ts)' },
      to: { path: '^src/main/(browser/|browser\\.ts)' },
    }),
    forbid('no-electron-shell-in-others', 'Shells do not know each other.', {
      from: { path: '^src/main/(browser|command-line|host)(/|\\.ts)|^src/main/cli\\.ts' },
      to: { path: '^src/main/(electron/|index\\.ts)' },
    }),
    forbid('backend-has-one-door', 'Shells know backend.ts, commands.ts and ports.ts only.', {
      from: { path: '^src/main/', pathNot: [backend, tests] },
      to: { path: `${backend}/`, pathNot: `${backend}/(backend|commands|ports)\\.ts$` },
    }),
    forbid('backend-is-wired-once', 'Only backend.ts and commands.ts put the parts together.', {
      from: { path: `${backend}/.+/`, pathNot: [tests, '/testing/'] },
      to: { path: `${backend}/(backend|commands)\\.ts$` },
    }),
    ...layering(backend, backendLayers),
    ...layering(`${backend}/downloads`, downloadLayers),
    forbid('downloads-know-no-catalog', 'Downloads are handed resolveLink(assetRef).', {
      from: { path: `${backend}/downloads/`, pathNot: tests },
      to: { path: `${backend}/catalog/` },
    }),
    forbid('shared-runs-anywhere', 'Shared code imports shared code, zod and types of GeoJSON.', {
      from: { path: '^src/shared/', pathNot: [tests, '/testing/', '^src/shared/geo/'] },
      to: { pathNot: ['^src/shared/', '(^|/)node_modules/(zod|@types/geojson)/'] },
    }),
    // Window and backend must judge an area alike, so its geometry is shared; these libraries are pure functions.
    forbid('shared-geometry-runs-anywhere', 'Geometry stands on @turf and polyclip-ts, which run anywhere.', {
      from: { path: '^src/shared/geo/', pathNot: tests },
      to: {
        pathNot: ['^src/shared/', '(^|/)node_modules/(zod|@types/geojson|@turf/[a-z-]+|polyclip-ts)/'],
      },
    }),
    forbid('renderer-has-no-main', 'The window knows the contract, not who answers it.', {
      from: { path: '^src/renderer/' },
      to: { path: ['^src/(main|preload)/', '(^|/)node_modules/(electron|better-sqlite3)/'] },
    }),
    forbid('renderer-has-no-node', 'The window has no Node.', {
      from: { path: '^src/renderer/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    }),
    forbid('ui-knows-no-domain', 'Buttons, dialogs and fields serve every domain alike.', {
      from: { path: `^${rendererFolders}/ui/` },
      to: {
        path: `^${rendererFolders}/(state|map|coverage|query|results|timeline|item|selection|saved|transfers|library|sharing|pack|settings|connections|exchange|views)/`,
      },
    }),
    forbid('views-on-top', 'Views combine domains; nothing but App.svelte imports a view.', {
      from: { path: `^${rendererFolders}/.+/`, pathNot: `^${rendererFolders}/views/` },
      to: { path: `^${rendererFolders}/views/` },
    }),
    forbid('state-has-no-component', 'State is there without a screen.', {
      from: { path: `^${rendererFolders}/state/` },
      to: { path: '\\.svelte$' },
    }),
    forbid('domains-apart', 'A domain folder shows its own domain; views combine them.', {
      from: {
        path: `^${rendererFolders}/(query|results|timeline|item|selection|saved|transfers|library|sharing|pack|settings|connections|exchange)/`,
      },
      to: {
        path: `^${rendererFolders}/(query|results|timeline|item|selection|saved|transfers|library|sharing|pack|settings|connections|exchange)/`,
        pathNot: `^${rendererFolders}/$1/`,
      },
    }),
    forbid('coverage-is-geometry', 'Coverage is measured in a worker, which has no window and no state.', {
      from: { path: `^${rendererFolders}/coverage/` },
      to: { path: `^${rendererFolders}/(?!coverage/)` },
    }),
    forbid('leaflet-in-map-only', 'Leaflet lives in renderer/src/map and nowhere else.', {
      from: { path: '^src/', pathNot: `^${rendererFolders}/map/` },
      to: { path: '(^|/)node_modules/(@types/)?(leaflet|terra-draw)' },
    }),
    forbid('no-tests-in-the-app', 'Tests and what only they need do not ship.', {
      from: { path: '^src/(main/(index|browser|cli)|preload/index|renderer/src/main)\\.ts$' },
      to: {
        path: [tests, '(^|/)(testing|test-support)/', '(^|/)node_modules/(vitest|@playwright)/'],
        reachable: true,
      },
    }),
    forbid('only-what-is-declared', 'A package we use stands in package.json.', {
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    }),
    forbid('everything-is-found', 'An import that leads nowhere.', {
      from: {},
      // What a plugin of the build makes is in no file.
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    }),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.base.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.(css|png|svg|woff2|json)$|\\?(url|raw)$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'svelte', 'default'],
      extensions: ['.ts', '.js', '.svelte', '.d.ts', '.json'],
    },
  },
};
