/**
 * A file that grows beyond what the system allows a process is from now on an error of the disk (EFBIG), and no reason to
 * die of without a word (setrlimit(2)). Windows has no such signal.
 */
export function outliveFileLimit(): void {
  process.on('SIGXFSZ', () => undefined);
}
