import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findAsset } from '#shared/stac/asset.ts';
import { HttpError, notFound } from './http-error.ts';
import { bucket, fileNameOf, fromObjectPath, toObjectPath, type NamedFile } from './object-path.ts';
import { sendFile } from './send-file.ts';
import type { AssetRef } from '../links/link.ts';
import type { ServiceContext } from './service-context.ts';

/** Path below which the files of assets are, on the catalog's own origin. */
export const filesPath = `/${bucket}`;

/** An asset's file for who has the token; null for an identity that no URL can carry. */
export function fileUrl(context: ServiceContext, asset: AssetRef, href: string): string | null {
  const path = toObjectPath(asset, href);
  return path === null ? null : `${context.storageOrigin()}${path}`;
}

/** Whether a request carries a signature of ours that is still valid, and so needs no token. */
export function isSigned(context: ServiceContext, request: FastifyRequest): boolean {
  const [path = '', query = ''] = request.url.split(/\?(.*)/s);
  return (
    path.startsWith(`${filesPath}/`) && context.signer.verify(path, new URLSearchParams(query)) === 'valid'
  );
}

/** `GET` and `HEAD` of the files of assets, whole and in parts. */
export function routeSharedFiles(app: FastifyInstance, context: ServiceContext): void {
  app.get(`${filesPath}/*`, async (request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    const named = fromObjectPath(path);
    const file = named && isItsName(context, named) ? await context.assets.open(named.asset) : null;
    if (!file) throw notFound('There is no such file here');
    // What a program or a browser makes of a file that a stranger wrote must stay inside it.
    reply.raw.setHeader('X-Content-Type-Options', 'nosniff');
    reply.raw.setHeader('Content-Security-Policy', "sandbox; default-src 'none'");
    reply.raw.setHeader('Cache-Control', 'private, no-cache');
    const refusal = await sendFile(request.raw, reply.raw, file).catch((thrown: unknown) => {
      if (!reply.raw.headersSent) throw thrown;
      // A body that broke off must not look whole.
      reply.raw.destroy();
      return null;
    });
    if (refusal === null) return reply.hijack();
    for (const [name, value] of Object.entries(reply.raw.getHeaders())) void reply.header(name, value);
    throw refusal === 'unsatisfiable-range'
      ? new HttpError(416, 'InvalidRange', 'The requested range is not satisfiable')
      : new HttpError(412, 'PreconditionFailed', 'A precondition of the request does not hold');
  });
}

// Programs ask for files beside a file (`.ovr`, `.aux.xml`), and would take the asset for each of them.
function isItsName({ library }: ServiceContext, { asset, fileName }: NamedFile): boolean {
  const item = library.item(asset)?.value.item;
  const stored = item && findAsset(item, asset.assetKey);
  return stored !== undefined && fileNameOf(stored.href) === fileName;
}
