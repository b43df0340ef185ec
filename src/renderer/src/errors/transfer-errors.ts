import type { ErrorCode } from '#shared/errors/error-codes.ts';
import { describeClock, describeNeed, join, quote, status, text } from './detail-words.ts';
import type { ErrorEntry } from './error-entry.ts';

/** What is said of links, of files on their way, and of what a person has set for them. */
export const transferErrors: Record<
  Extract<ErrorCode, `link.${string}` | `transfer.${string}` | `limit.${string}`>,
  ErrorEntry
> = {
  'link.none': {
    title: 'There is no download link for this asset',
    hint: (details) => {
      if (details['reason'] === 'directory')
        return 'It is a folder of files; choose the assets that are files.';
      if (details['scheme'] === 's3')
        return 'It is in cloud storage (s3) and the provider offers no link to it. With AWS credentials of your own, allow their use for this catalog in Settings.';
      return 'The provider offers neither a signed link nor a proxy link to this account.';
    },
  },
  'link.refused': {
    title: 'The storage refuses the download link',
    hint: (details) =>
      join(
        text(details, 'reason'),
        status(details),
        describeClock(details),
        'Resume it to ask for a new link.',
      ),
    action: 'retry',
  },
  'link.gone': {
    title: 'The storage doesn’t have this file',
    hint: (details) =>
      join('The catalog lists it, but it is not, or no longer, there.', status(details), 'Ask the provider.'),
    action: 'retry',
  },
  'link.credentials': {
    title: 'Your AWS credentials can’t be used',
    hint: (details) => join(text(details, 'reason'), 'Set them up as for the AWS command line, then resume.'),
    action: 'retry',
  },
  'link.insecure-redirect': {
    title: 'The download was led to an insecure address',
    hint: () => 'Swath doesn’t follow from a secure to an insecure address.',
  },
  'transfer.disk-full': {
    title: 'The disk is full',
    hint: (details) => join(describeNeed(details), 'Free space, or choose another folder.'),
    action: 'choose-folder',
  },
  'transfer.destination-missing': {
    title: 'The folder is not there',
    hint: (details) => join(quote(details, 'path'), 'Connect its disk, or choose another folder.'),
    action: 'choose-folder',
  },
  'transfer.destination-not-writable': {
    title: 'Swath may not write into this folder',
    hint: (details) => join(quote(details, 'path'), 'Choose another folder, or change its permissions.'),
    action: 'choose-folder',
  },
  'transfer.disk-error': {
    title: 'The disk reports an error',
    hint: () => 'Check the disk; then resume.',
    action: 'retry',
  },
  'transfer.file-locked': {
    title: 'Another program is using the file',
    hint: () =>
      'Often an antivirus program. Swath goes on when it lets go; else close what has the file open.',
    action: 'retry',
  },
  'transfer.fs-too-small': {
    title: 'This drive cannot hold a file of this size',
    hint: () => 'Its format (FAT32) ends at 4 GB a file. Choose a folder on another drive.',
    action: 'choose-folder',
  },
  'transfer.path-too-long': {
    title: 'The path of the file is too long',
    hint: () => 'Choose a folder with a shorter path.',
    action: 'choose-folder',
  },
  'transfer.encoded-response': {
    title: 'The source sends compressed data that can’t be verified',
    hint: () => 'Try again later, or choose another way to the files in this connection’s settings.',
    action: 'retry',
  },
  'transfer.wrong-content': {
    title: 'What came is not the file',
    hint: () => 'The storage sent something else, often a sign-in or an error page. Nothing was kept of it.',
    action: 'retry',
  },
  'transfer.source-changed': {
    title: 'The file changed at its source',
    hint: () => 'It has to be fetched again from the start.',
    action: 'retry',
  },
  'transfer.size-mismatch': {
    title: 'The size is not the announced one',
    hint: () => 'The file was not published. Try again; if it stays so, the catalog’s entry is wrong.',
    action: 'retry',
  },
  'transfer.checksum-mismatch': {
    title: 'The checksum is not the announced one',
    hint: () => 'The file was not published. Try again; if it stays so, the file is damaged at its source.',
    action: 'retry',
  },
  'transfer.source-mismatch': {
    title: 'The sources contradict the catalog',
    hint: () =>
      'Every source sends a file of another checksum than announced. Tell the provider of the data.',
    action: 'retry',
  },
  'transfer.not-found': { title: 'This transfer is gone', hint: () => 'It was removed meanwhile.' },
  'transfer.no-progress': {
    title: 'No progress for a day',
    hint: () => 'What came so far is kept. Try again when the storage and your connection are well.',
    action: 'retry',
  },
  'transfer.crashed': {
    title: 'Set aside after three crashes',
    hint: () => 'Swath ended three times while this file was fetched. The others go on. Try it again alone.',
    action: 'retry',
  },
  'transfer.too-many-open-files': {
    title: 'This computer can open no more files',
    hint: () => 'Fewer transfers run at once now. Closing other programs helps.',
  },
  'limit.schedule': {
    title: 'Waits for the hours that you set',
    hint: () => 'Goes on by itself then. Change the hours in the settings to go on now.',
  },
  'limit.metered': {
    title: 'Waits for a connection that is not metered',
    hint: () => 'Goes on by itself then. Allow metered connections in the settings to go on now.',
  },
  'limit.battery': {
    title: 'Waits for mains power',
    hint: () =>
      'Goes on by itself when the computer is plugged in. Allow battery in the settings to go on now.',
  },
};
