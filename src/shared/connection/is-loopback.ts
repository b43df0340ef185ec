/** Whether a host name, as `URL.hostname` gives it, means this computer, so that nobody is on the way to it. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
