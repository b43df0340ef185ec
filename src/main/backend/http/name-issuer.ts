import { TLSSocket, type PeerCertificate } from 'node:tls';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { Network } from './network/network.ts';
import { overRoutes } from './network/over-routes.ts';
import type { Route } from './network/route.ts';

const patienceMs = 5000;

/**
 * A `network.tls` error with `details.issuer`: who vouches for the certificate that isn't trusted, which tells a network
 * that looks into connections from a server set up badly. Any other error as it is.
 */
export async function nameIssuer(
  thrown: unknown,
  { url, network, signal }: { url: string; network?: Network | undefined; signal?: AbortSignal | undefined },
): Promise<unknown> {
  if (!isAppError(thrown, 'network.tls') || !url.startsWith('https:')) return thrown;
  const issuer = await overRoutes({ url, network, signal }, (route) => askIssuer(route, url)).catch(
    () => null,
  );
  if (issuer === null) return thrown;
  const { code, message, details, retryable, cause } = thrown;
  const said = `${message} (issued by ${issuer})`;
  return new AppError(code, said, { details: { ...details, issuer }, retryable, cause });
}

// Only the handshake: nothing is sent to a server that isn't trusted.
function askIssuer(route: Route, url: string): Promise<string | null> {
  return new Promise((resolve) => {
    const request = route.request(new URL('/', url), { method: 'GET', rejectUnauthorized: false } as object);
    const end = (issuer: string | null) => {
      clearTimeout(timer);
      resolve(issuer);
      request.destroy();
    };
    const timer = setTimeout(() => end(null), patienceMs);
    request.on('error', () => end(null));
    request.once('socket', (socket) => {
      if (socket instanceof TLSSocket) socket.once('secureConnect', () => end(readIssuer(socket)));
      else end(null);
    });
  });
}

function readIssuer(socket: TLSSocket): string | null {
  const { issuer } = socket.getPeerCertificate() as Partial<PeerCertificate>;
  const name = issuer?.O ?? issuer?.CN;
  const text = Array.isArray(name) ? name.join(', ') : name;
  return text ? text.slice(0, 120) : null;
}
