import fastifyStatic from '@fastify/static';
import fastifyWebsocket from '@fastify/websocket';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AddressInfo } from 'node:net';
import type { Backend } from '../backend/backend.ts';
import { securityHeaders } from '../host/security-headers.ts';
import { createBrowserSession, type BrowserSession } from './browser-session.ts';
import { findForeignOrigin } from './judge-request.ts';
import { signInPage } from './sign-in-page.ts';
import { createWebSocketPipe } from './web-socket-pipe.ts';

const pipePath = '/pipe';

/** The longest message that a socket takes, in bytes; the router's own limit is in characters. */
const maxPayloadBytes = 64 * 1024 * 1024;

interface BrowserServerOptions {
  backend: Pick<Backend, 'router' | 'serveResource'>;
  rendererDir: string;
  /** 0 means any free one. */
  port: number;
  /** Called with the first address when the server is ready, and with a new one each time an address was used. */
  announce: (url: string) => void;
}

/** What a request is judged by. */
interface Gate {
  session: BrowserSession;
  port: number;
}

/** The window's server on 127.0.0.1. */
export interface BrowserServer {
  port: number;
  close(): Promise<void>;
}

/** Starts serving. Only this computer can reach it, and only a browser with the session gets anything. */
export async function startBrowserServer(options: BrowserServerOptions): Promise<BrowserServer> {
  // The cookie's name and the Host check need the port, so the server listens before it serves.
  let gate: Gate | null = null;
  const app = fastify({ forceCloseConnections: true, routerOptions: { ignoreDuplicateSlashes: false } });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders);
    if (request.headers.upgrade !== undefined) hangUpAfterRefusal(request, reply);
    if (gate) await admit(request, reply, gate);
    else await refuse(reply, { status: 503, text: 'Starting' });
  });
  await app.register(fastifyWebsocket, { options: { maxPayload: maxPayloadBytes } });
  await app.register(fastifyStatic, {
    root: options.rendererDir,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Vite names everything under assets/ by its content.
      const isHashed = /[\\/]assets[\\/]/.test(path);
      void reply.header('cache-control', isHashed ? 'private, max-age=31536000, immutable' : 'no-cache');
    },
  });
  addRoutes(app, options.backend);
  await app.listen({ host: '127.0.0.1', port: options.port });

  const { port } = app.server.address() as AddressInfo;
  const announceNext = (): void =>
    options.announce(`http://127.0.0.1:${String(port)}/?token=${session.issueToken()}`);
  const session = createBrowserSession({ port, onUsed: announceNext });
  gate = { session, port };
  announceNext();
  return { port, close: () => app.close() };
}

async function admit(request: FastifyRequest, reply: FastifyReply, gate: Gate): Promise<void> {
  const foreign = findForeignOrigin(readOrigin(request), gate.port);
  if (foreign !== null) return refuse(reply, { status: 403, text: `Refused: ${foreign}.` });
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(reply, { status: 405, text: 'GET only' });
  const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1');
  const token = pathname === '/' && request.method === 'GET' ? searchParams.get('token') : null;
  if (token !== null && (await signIn(request, reply, { session: gate.session, token }))) return;
  if (!gate.session.isSignedIn(request.headers.cookie)) {
    return refuse(reply, { status: 403, text: signInPage, isPage: true });
  }
  // The WebSocket plugin would accept an upgrade anywhere and then hang up.
  const isLost = request.headers.upgrade !== undefined && pathname !== pipePath;
  if (isLost) await refuse(reply, { status: 404, text: 'Not found' });
}

/** Answers with a redirect and true, unless the token is used up and there is no session either. */
async function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { session, token }: { session: BrowserSession; token: string },
): Promise<boolean> {
  const cookie = session.redeem(token);
  if (cookie !== null) reply.header('set-cookie', cookie);
  else if (!session.isSignedIn(request.headers.cookie)) return false;
  // Also with a session: the token must not stay in the address bar and in the history.
  await reply.header('cache-control', 'no-store').redirect('/', 303);
  return true;
}

async function refuse(
  reply: FastifyReply,
  answer: { status: number; text: string; isPage?: boolean },
): Promise<void> {
  const type = answer.isPage ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
  await reply.code(answer.status).header('cache-control', 'no-store').type(type).send(answer.text);
}

// Node's server lets go of a socket that asks for an upgrade: a refused one would stay open for ever.
function hangUpAfterRefusal(request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => request.raw.socket.destroySoon());
}

function readOrigin({ headers }: FastifyRequest) {
  return {
    host: headers.host,
    origin: headers.origin,
    fetchSite: headers['sec-fetch-site'],
    fetchMode: headers['sec-fetch-mode'],
    isUpgrade: headers.upgrade !== undefined,
  };
}

function addRoutes(app: FastifyInstance, backend: BrowserServerOptions['backend']): void {
  app.get(pipePath, { websocket: true }, (socket) => backend.router.serve(createWebSocketPipe(socket)));
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const [path = ''] = request.url.split('?');
    const { status, headers, body } = await backend.serveResource(path, gone.signal);
    return reply.code(status).headers(headers).send(body);
  };
  app.get('/_thumb/*', serve);
  app.get('/_tile/*', serve);
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).type('text/plain; charset=utf-8').send('Not found'),
  );
}
