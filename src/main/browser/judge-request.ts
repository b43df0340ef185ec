/** What of a request says where it comes from. */
export interface RequestOrigin {
  host: string | undefined;
  origin: string | undefined;
  /** `Sec-Fetch-Site` and `Sec-Fetch-Mode`; browsers send them, other programs don't. */
  fetchSite: string | undefined;
  fetchMode: string | undefined;
  isUpgrade: boolean;
}

/**
 * Why a request is not from our own page, or null. A foreign name that resolves to this computer (DNS rebinding)
 * shows in Host; a foreign page in Origin. Another port of this computer is the same *site* but not our origin.
 */
export function findForeignOrigin(request: RequestOrigin, port: number): string | null {
  const hosts = [`127.0.0.1:${String(port)}`, `localhost:${String(port)}`];
  const { host, origin, fetchSite, fetchMode, isUpgrade } = request;
  if (host === undefined || !hosts.includes(host)) return 'the Host header names another server';
  if (isUpgrade && origin === undefined) return 'a WebSocket needs an Origin';
  if (origin !== undefined && origin !== `http://${host}`) return 'it comes from another origin';
  const isFromElsewhere = fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none';
  return isFromElsewhere && fetchMode !== 'navigate' ? 'it comes from another site' : null;
}
