import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin } from 'vite';

// Beside what was bundled.
const fileName = 'THIRD-PARTY-NOTICES.txt';

const packageFolder = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** Writes down the licences of the packages that went into a bundle, as they ask for. */
export function writeNotices(): Plugin {
  return {
    name: 'swath:notices',
    apply: 'build',
    generateBundle() {
      const folders = new Set(
        [...this.getModuleIds()].flatMap((id) => packageFolder.exec(id.replace(/^\0/, ''))?.[1] ?? []),
      );
      const notices = [...folders]
        .filter((folder) => existsSync(join(folder, 'package.json')))
        .map(readNotice);
      if (notices.length === 0) return;
      this.emitFile({
        type: 'asset',
        fileName,
        source: [...new Set(notices)].sort().join(`\n${'-'.repeat(80)}\n\n`),
      });
    },
  };
}

function readNotice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  const kind = typeof license === 'string' ? license : 'as follows';
  return [`${String(name)} ${String(version)} (${kind})`, ...texts].join('\n\n') + '\n';
}
