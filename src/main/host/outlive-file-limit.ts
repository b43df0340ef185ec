/**
 * A file that grows beyond what the system allows a process (setrlimit(2)) is an error of the disk, EFBIG, and no reason to
 * die of without a word. Node takes no notice of the signal that comes with it; but when-exit, which conf brings along, hears
 * it and then ends the process by it, unless somebody else hears it too. Windows has no such signal.
 */
export function outliveFileLimit(): void {
  process.on('SIGXFSZ', () => undefined);
}
