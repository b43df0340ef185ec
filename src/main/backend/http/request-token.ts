import { AppError, type ErrorDetails } from '#shared/errors/app-error.ts';
import type { Clock } from '../ports.ts';
import { sendExchange } from './exchange.ts';
import type { HttpAnswer } from './http-client.ts';
import { createMask, encodeForm, toBase64 } from './mask-texts.ts';
import { toNetworkError } from './network-error.ts';
import type { Network } from './network/network.ts';
import { toStatusError } from './problem.ts';
import { readBody } from './read-body.ts';
import { readTokenAnswer, type IssuedToken } from './read-token-answer.ts';

/** How the client names itself to the token address: in the form (field notes §1.1, form A) or by HTTP Basic (form B). */
export type ClientStyle = 'body' | 'basic';

/** One request for a token (RFC 6749 §4.4). */
export interface TokenRequest {
  tokenUrl: string;
  clientId: string;
  secret: string;
  style: ClientStyle;
  clock: Clock;
  network?: Network | undefined;
}

const maxAnswerBytes = 256 * 1024;
const idleTimeoutMs = 30_000;

/**
 * Asks a token address for a token. Redirects are not followed: the secret is for this address alone. Nothing that is
 * thrown holds the secret, the client id or a token.
 * @throws AppError `auth.client-refused` {reason, host, status}, `http.*`, `network.*` {host: of the token address}
 */
export async function requestToken(request: TokenRequest): Promise<IssuedToken> {
  const [first, second] = waysToSend(request);
  let answer = await send(request, first);
  if (second !== undefined && isRefusal(answer.status)) answer = await send(request, second);
  const { host } = new URL(request.tokenUrl);
  if (answer.status >= 200 && answer.status < 300)
    return readTokenAnswer(answer.body, { host, status: answer.status });
  throw toTokenError(answer, request);
}

/** The part of a request that names the client. */
interface Way {
  form: Record<string, string>;
  headers: Record<string, string>;
}

// RFC 6749 §2.3.1 wants both encoded before they are joined; the service's own client, like most, joins them as they
// are. Where that makes a difference the second way is tried after the first was refused.
function waysToSend({ clientId, secret, style }: TokenRequest): [Way, Way?] {
  if (style === 'body') return [{ form: { client_id: clientId, client_secret: secret }, headers: {} }];
  const plain = `${clientId}:${secret}`;
  const encoded = `${encodeForm(clientId)}:${encodeForm(secret)}`;
  const toWay = (pair: string): Way => ({ form: {}, headers: { authorization: `Basic ${toBase64(pair)}` } });
  return plain === encoded ? [toWay(plain)] : [toWay(plain), toWay(encoded)];
}

async function send(request: TokenRequest, { form, headers }: Way): Promise<HttpAnswer> {
  const { tokenUrl: url, network } = request;
  const { status, ...answer } = await sendExchange({
    url,
    method: 'POST',
    headers: {
      'user-agent': 'Swath',
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
    decompress: true,
    idleTimeoutMs,
    network,
  });
  const body = await readBody(answer.body, maxAnswerBytes).catch((thrown: unknown) => {
    throw toNetworkError(thrown, url);
  });
  return { status, headers: answer.headers, body, url };
}

function isRefusal(status: number): boolean {
  return status === 400 || status === 401 || status === 403;
}

function toTokenError(answer: HttpAnswer, request: TokenRequest): AppError {
  const { host } = new URL(request.tokenUrl);
  const { status } = answer;
  if (status >= 300 && status < 400) {
    return new AppError('http.unexpected-status', `The token address at ${host} redirects`, {
      details: {
        status,
        host,
        reason: `The token address at ${host} redirects; the secret is not sent elsewhere`,
      },
    });
  }
  const mask = createMask(secretsOf(request));
  // Masked as a whole: a sentence may be cut short in the middle of a secret.
  const { code, message, details, retryable } = toStatusError(
    { ...answer, body: Buffer.from(mask(answer.body.toString('utf8'))) },
    request.clock.now(),
  );
  const masked = maskDetails({ ...details, host }, mask);
  if (!isRefusal(status)) {
    return new AppError(code, `${host}: ${mask(message)}`, { details: masked, retryable });
  }
  const said = String(masked['reason'] ?? masked['serverCode'] ?? `status ${status}`);
  return new AppError('auth.client-refused', `The token address at ${host} refuses this client: ${said}`, {
    details: { ...masked, reason: said },
  });
}

function secretsOf(request: TokenRequest): string[] {
  const { clientId, secret } = request;
  const pairs = [`${clientId}:${secret}`, `${encodeForm(clientId)}:${encodeForm(secret)}`];
  return [secret, clientId, ...pairs];
}

// Again, now that JSON and XML are unpacked.
function maskDetails(details: ErrorDetails, mask: (text: string) => string): ErrorDetails {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? mask(value) : value]),
  );
}
