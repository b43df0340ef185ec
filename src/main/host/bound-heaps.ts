import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the space where V8 makes new objects as small as it is at the start, a few megabytes, in all threads of the
 * process. By itself V8 doubles that space as long as much of it outlives a collection, to 128 MB: then a page of Items
 * fills it, and each collection holds the event loop for tens of milliseconds. A size can't be given to Electron's main
 * process before it runs, but growing can be stopped.
 *
 * Threads that begin later would begin with one megabyte, and the one that writes the library would collect garbage
 * every hundred Items, so that they are given four.
 */
export function boundYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--min-semi-space-size=4');
}
