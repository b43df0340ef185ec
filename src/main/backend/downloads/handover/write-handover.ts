import type { HandoverTool } from '#shared/transfer/handover-tool.ts';
import type { HandedFile } from './handed-file.ts';

/** How files are written down for one tool. */
interface Writer {
  head: string[];
  /** The lines of one file. */
  write: (file: HandedFile, options: { tokenFile: string }) => string[];
  tail: string[];
  /** Between two files. */
  between?: string[];
}

const aria2Checksums: Readonly<Record<string, string>> = {
  md5: 'md5',
  sha1: 'sha-1',
  sha224: 'sha-224',
  sha256: 'sha-256',
  sha384: 'sha-384',
  sha512: 'sha-512',
};
const hexLengths: Readonly<Record<string, number>> = {
  md5: 32,
  sha1: 40,
  sha224: 56,
  sha256: 64,
  sha384: 96,
  sha512: 128,
};

const writers: Record<HandoverTool, Writer> = {
  // Values go to the end of their line; nothing is quoted.
  aria2: {
    head: [],
    write: ({ way, folder, path, checksum }) => [
      addressOf(way),
      `  dir=${folder}`,
      `  out=${path}`,
      // It would fetch whatever else a storage names in place of the file, under names of its choice.
      ...['  follow-metalink=false', '  follow-torrent=false'],
      ...writeAria2Checksum(checksum),
    ],
    tail: [],
  },
  // A block for each file: the token must not go to a public address of the next one.
  curl: {
    head: [],
    write: ({ way, folder, path }, { tokenFile }) => {
      const url = addressOf(way);
      const schemes = url.startsWith('https:') ? '=https' : '=http,https';
      return [
        `url = ${quoteForCurl(url)}`,
        `output = ${quoteForCurl(`${folder}/${path}`)}`,
        ...(way.kind === 'proxy' ? [`header = ${quoteForCurl(`@${tokenFile}`)}`] : []),
        `proto = ${quoteForCurl(schemes)}`,
        `proto-redir = ${quoteForCurl(schemes)}`,
        ...['globoff', 'create-dirs', 'no-clobber', 'remove-on-error', 'location', 'fail'],
        'retry = 5',
      ];
    },
    tail: [],
    between: ['next'],
  },
  rclone: {
    head: ['#!/bin/sh', 'failed=0'],
    write: ({ way, folder, path }) => {
      const target = quoteForShell(`${folder}/${path}`);
      if (way.kind !== 's3')
        return [`rclone copyurl --no-clobber -- ${quoteForShell(addressOf(way))} ${target} || failed=1`];
      const { bucket, key, region, isRequesterPays } = way.object;
      const settings = ['provider=AWS', 'env_auth=true'];
      if (region !== null) settings.push(`region=${region}`);
      if (isRequesterPays) settings.push('requester_pays=true');
      const source = quoteForShell(`:s3,${settings.join(',')}:${bucket}/${key}`);
      return [`rclone copyto --ignore-existing -- ${source} ${target} || failed=1`];
    },
    tail: ['exit $failed'],
  },
  s5cmd: {
    head: [],
    write: ({ way, folder, path }) => {
      if (way.kind !== 's3') return [];
      const { bucket, key, region } = way.object;
      const where = region === null ? '' : ` --source-region ${region}`;
      // Without --raw a star in a key would mean many.
      return [
        `cp --raw --no-clobber${where} ${quoteForShell(`s3://${bucket}/${key}`)} ${quoteForShell(`${folder}/${path}`)}`,
      ];
    },
    tail: [],
  },
};

const publicHint = 'https addresses are as the catalog gives them: they work where they are public';

/** What a person has to know to run what was written. */
export const handoverHints: Record<HandoverTool, (options: { tokenFile: string }) => string[]> = {
  aria2: () => [publicHint, 'run it with: aria2c --input-file=FILE --auto-file-renaming=false'],
  curl: ({ tokenFile }) => [
    'run it with: curl --config FILE --parallel (curl 7.83 or newer), once: what is there by then would come again, under a name with a number',
    `the token is not in it: before that, (umask 077; printf 'Authorization: Bearer %s\\n' "$SWATH_TOKEN" > ${quoteForShell(tokenFile)})`,
  ],
  rclone: () => [publicHint, 'run it with: sh FILE; AWS credentials are those of the environment'],
  s5cmd: () => ['run it with: s5cmd run FILE; AWS credentials are those of the environment'],
};

/** The lines for a tool, file by file. */
export function createHandoverWriter(tool: HandoverTool, options: { tokenFile: string }) {
  const { head, write, tail, between = [] } = writers[tool];
  let isFirst = true;
  return {
    head,
    tail,
    write(file: HandedFile): string[] {
      const lines = write(file, options);
      const before = isFirst ? [] : between;
      isFirst = false;
      return [...before, ...lines];
    },
  };
}

/** Whether a folder can stand in a line of any of the tools. */
export function isWritableFolder(folder: string): boolean {
  return !/\p{Cc}/u.test(folder) && folder.trim() === folder && /^(\/|[a-z]:\\)/i.test(folder);
}

// As Swath itself asks for it: catalogs write addresses with blanks and other letters, which tools refuse.
function addressOf(way: HandedFile['way']): string {
  return way.kind === 's3' ? '' : new URL(way.url).href;
}

function writeAria2Checksum(checksum: HandedFile['checksum']): string[] {
  const name = checksum && aria2Checksums[checksum.algorithm];
  if (!checksum || !name || checksum.digestHex.length !== hexLengths[checksum.algorithm]) return [];
  return [`  checksum=${name}=${checksum.digestHex}`];
}

function quoteForCurl(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

// In single quotes a shell takes everything as it is but the quote itself.
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
