import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AssetSource } from './asset-source.ts';
import type { LinkSigner } from './link-signer.ts';
import { fromObjectPath } from './object-path.ts';
import { sendFile, type FileRefusal } from './send-file.ts';

// Longer than clients keep a connection for later, so that none is closed just as it is used again.
const idleTimeoutMs = 72_000;

/** The storage that signed links point to: behaves as S3 does towards them, errors in XML included. */
export function createObjectStore(assets: AssetSource, signer: LinkSigner): Server {
  return createServer({ keepAliveTimeout: idleTimeoutMs }, (request, response) => {
    answer(request, response, { assets, signer }).catch(() => {
      // A body that broke off must not look whole; before it began there is still an answer to give.
      if (response.headersSent) response.destroy();
      else
        sendError(request, response, {
          status: 500,
          code: 'InternalError',
          message: 'We encountered an internal error.',
        });
    });
  });
}

interface StoreError {
  status: number;
  code: string;
  message: string;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { assets, signer }: { assets: AssetSource; signer: LinkSigner },
): Promise<void> {
  const [path = '', queryText = ''] = (request.url ?? '').split(/\?(.*)/s);
  const refusal = judgeRequest(request, signer, { path, query: new URLSearchParams(queryText) });
  if (refusal) {
    sendError(request, response, refusal);
    return;
  }

  // Its file name is as it was signed.
  const named = fromObjectPath(path);
  const file = named && (await assets.open(named.asset));
  if (!file) sendError(request, response, noSuchKey);
  else {
    const refusal = await sendFile(request, response, file);
    if (refusal !== null) sendError(request, response, refusals[refusal]);
  }
}

const noSuchKey = { status: 404, code: 'NoSuchKey', message: 'The specified key does not exist.' };

const refusals: Readonly<Record<FileRefusal, StoreError>> = {
  'precondition-failed': {
    status: 412,
    code: 'PreconditionFailed',
    message: 'At least one of the pre-conditions you specified did not hold',
  },
  'unsatisfiable-range': {
    status: 416,
    code: 'InvalidRange',
    message: 'The requested range is not satisfiable',
  },
};

function judgeRequest(
  request: IncomingMessage,
  signer: LinkSigner,
  { path, query }: { path: string; query: URLSearchParams },
): StoreError | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const message = 'The specified method is not allowed against this resource.';
    return { status: 405, code: 'MethodNotAllowed', message };
  }
  if (request.headers.authorization !== undefined) {
    const message = query.has('Signature')
      ? 'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified'
      : 'Unsupported Authorization Type';
    return { status: 400, code: 'InvalidArgument', message };
  }
  switch (signer.verify(path, query)) {
    case 'valid':
      return null;
    case 'unsigned':
      return { status: 403, code: 'AccessDenied', message: 'Access Denied' };
    case 'malformed-expiry':
      return { status: 403, code: 'AccessDenied', message: 'Invalid date (should be seconds since epoch)' };
    case 'expired':
      return { status: 403, code: 'AccessDenied', message: 'Request has expired' };
    case 'wrong-signature': {
      const message = 'The request signature we calculated does not match the signature you provided.';
      return { status: 403, code: 'SignatureDoesNotMatch', message };
    }
  }
}

function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message }: StoreError,
): void {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  response.writeHead(status, { 'Content-Type': 'application/xml', 'Content-Length': Buffer.byteLength(xml) });
  response.end(request.method === 'HEAD' ? undefined : xml);
}
