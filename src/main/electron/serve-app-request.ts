import type { Backend } from '../backend/backend.ts';
import { securityHeaders } from '../host/security-headers.ts';
import { isAppUrl } from './app-url.ts';
import { readAppFile } from './serve-app-file.ts';

interface AppRequestOptions {
  rendererDir: string;
  backend: Pick<Backend, 'serveResource'>;
}

/** Answers the window's own URLs: its files, and the pictures that the backend keeps. */
export async function serveAppRequest(request: Request, options: AppRequestOptions): Promise<Response> {
  if (!isAppUrl(request.url)) return refuse(403);
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
  const { pathname } = new URL(request.url);
  if (pathname.startsWith('/_')) {
    const { status, headers, body } = await options.backend.serveResource(pathname, request.signal);
    return new Response(new Uint8Array(body), { status, headers: { ...headers, ...securityHeaders } });
  }
  const file = await readAppFile(options.rendererDir, pathname);
  if (!file) return refuse(404);
  return new Response(new Uint8Array(file.bytes), {
    headers: { ...securityHeaders, 'content-type': file.mediaType, 'cache-control': 'no-cache' },
  });
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: securityHeaders });
}
