/** Whether a process with this number runs, whoever's it is. Numbers of processes that ended are given again. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    // One that belongs to somebody else can't be asked, but is there.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
