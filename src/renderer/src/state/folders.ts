import type { SwathClient } from './session.svelte.ts';

/** A folder on the computer where the program runs. */
export type Folder = Awaited<ReturnType<SwathClient['folders']['suggested']>>;

/** A folder with its subfolders. */
export type FolderListing = Awaited<ReturnType<SwathClient['folders']['list']>>;

/** A folder with its subfolders and the files in it that can be chosen. */
export type FileListing = Awaited<ReturnType<SwathClient['pack']['listFiles']>>;
