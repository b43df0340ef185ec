import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { openToProxy, openTunnel } from './open-tunnel.ts';
import type { ProxyServer } from './proxy-server.ts';

/** How long an idle connection is kept, as Node's own agents do, in milliseconds. */
const agentOptions = { keepAlive: true, scheduling: 'lifo', timeout: 5_000 } as const;

/** How long a server behind a proxy may take for the TLS handshake, which got watches for direct connections only. */
const handshakeMs = 15_000;

type OnConnection = (error: Error | null, socket: Duplex) => void;

/** Direct connections, over TLS and without. */
export function createDirectAgents(): { plain: http.Agent; secure: https.Agent } {
  return { plain: new http.Agent(agentOptions), secure: new https.Agent(agentOptions) };
}

/** Connections to a proxy that is asked for whole URLs. */
export function createForwardAgent(proxy: ProxyServer): http.Agent {
  return new OpeningAgent(() => openToProxy(proxy));
}

/** Connections through a proxy to somebody else, over TLS and without. */
export function createTunnelAgents(proxy: ProxyServer): { plain: http.Agent; secure: https.Agent } {
  const open: Open = ({ host, port }) =>
    openTunnel(proxy, { host: (host ?? 'localhost').replace(/^\[|\]$/g, ''), port: Number(port) });
  return { plain: new OpeningAgent(open), secure: new SecureOpeningAgent(open) };
}

type Open = (options: http.ClientRequestArgs) => Promise<Socket>;

class OpeningAgent extends http.Agent {
  readonly #open: Open;

  constructor(open: Open) {
    super(agentOptions);
    this.#open = open;
  }

  override createConnection(options: http.ClientRequestArgs, onConnection?: OnConnection): undefined {
    passOn(this.#open(options), onConnection);
  }
}

class SecureOpeningAgent extends https.Agent {
  readonly #open: Open;

  constructor(open: Open) {
    super(agentOptions);
    this.#open = open;
  }

  override createConnection(options: https.RequestOptions, onConnection?: OnConnection): undefined {
    const secure = this.#open(options).then((socket) => {
      // Node's own, for its TLS sessions.
      const wrapped = super.createConnection({ ...options, socket } as https.RequestOptions) as Socket;
      const timer = setTimeout(() => wrapped.destroy(timeout()), handshakeMs);
      for (const event of ['secureConnect', 'close']) wrapped.once(event, () => clearTimeout(timer));
      return wrapped;
    });
    passOn(secure, onConnection);
  }
}

function passOn(opening: Promise<Socket>, onConnection: OnConnection | undefined): void {
  opening.then(
    (socket) => onConnection?.(null, socket),
    // Node looks at the error alone.
    (error: unknown) => onConnection?.(error as Error, undefined as unknown as Duplex),
  );
}

function timeout(): Error {
  return Object.assign(new Error('The TLS handshake took too long'), { code: 'ETIMEDOUT' });
}
