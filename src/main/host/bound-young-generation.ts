import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Keeps the space where V8 makes new objects to about so many bytes, for all threads of the process. It doubles that space as long as much of it outlives
 * a collection, to 128 MB: then a page of Items fills it, and each collection holds the event loop for tens of
 * milliseconds. The flag for that can't be given to Electron's main process at its start, but growing can be stopped.
 */
export function boundYoungGeneration(maxBytes = 8 * 2 ** 20): void {
  let mayGrow = true;
  new PerformanceObserver(() => {
    const newSpace = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    const isSmall = 2 * (newSpace?.space_size ?? 0) <= maxBytes;
    if (isSmall === mayGrow) return;
    mayGrow = isSmall;
    setFlagsFromString(`--semi-space-growth-factor=${isSmall ? '2' : '1'}`);
  }).observe({ entryTypes: ['gc'] });
}
