import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { type AfterPackContext, type Configuration } from 'electron-builder';

/** A local Electron folder, so that packing needs no network. */
const electronDist = process.env['SWATH_ELECTRON_DIST'];

/** electron-builder leaves Electron's own demo app in a folder it was handed; gone before its hashes are taken. */
async function removeDemoApp({ packager, appOutDir }: AfterPackContext): Promise<void> {
  await rm(join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true });
}

const sqlite = 'node_modules/better-sqlite3';

export default {
  appId: 'app.swath.desktop',
  productName: 'Swath',
  copyright: 'Copyright © the Swath authors, Apache-2.0',
  directories: { output: 'dist', buildResources: 'build' },
  files: [
    'out/{main,preload,renderer}/**',
    'build/tray*.png',
    'package.json',
    'LICENSE',
    `!${sqlite}/{deps,src,binding.gyp}`,
    // One binary for each platform comes with the package; its name is filled in by electron-builder.
    `!${sqlite}/prebuilds/!(\${platform}-*|\${platform}musl-*)`,
    '!node_modules/node-addon-api',
    '!**/*.{ts,map,md}',
  ],
  asar: true,
  asarUnpack: [`${sqlite}/prebuilds/**`],
  // better-sqlite3 is Node-API: its one binary serves Node and Electron.
  npmRebuild: false,
  ...(electronDist ? { electronDist } : {}),
  afterExtract: removeDemoApp,
  electronFuses: {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
    resetAdHocDarwinSignature: true,
  },
  win: { target: 'nsis' },
  nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
  mac: {
    target: 'dmg',
    category: 'public.app-category.graphics-design',
    hardenedRuntime: true,
    entitlements: 'build/entitlements.mac.plist',
    entitlementsInherit: 'build/entitlements.mac.plist',
  },
  linux: {
    target: ['deb', 'AppImage'],
    category: 'Science',
    maintainer: 'The Swath authors',
    synopsis: 'Satellite imagery: find it, keep it, bring it home',
    executableName: 'swath',
  },
  publish: null,
} satisfies Configuration;
