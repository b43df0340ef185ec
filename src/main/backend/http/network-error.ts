import { AppError, toAppError } from '#shared/errors/app-error.ts';
import { ProxyFailure } from './network/proxy-failure.ts';

const timeoutCodes = new Set([
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const resetCodes = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
const brokenCodes = new Set([
  ...resetCodes,
  'ERR_HTTP_CONTENT_LENGTH_MISMATCH',
  'ERR_STREAM_PREMATURE_CLOSE',
]);
const tlsCodes =
  /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|EPROTO$)/;

/**
 * What went wrong on the way to a server, from whatever Node or got threw. An AppError passes as it is.
 * What the system said is kept as `cause`; got's own error isn't, for it holds the request with its headers.
 */
export function toNetworkError(thrown: unknown, url: string): AppError {
  if (thrown instanceof AppError) return thrown;
  // The HTTP library wraps what ended a stream of its.
  if (thrown instanceof Error && thrown.cause instanceof AppError) return thrown.cause;
  if (isAbort(thrown)) return new AppError('cancelled', 'The request was cancelled');
  const host = URL.canParse(url) ? new URL(url).host : 'unknown';
  const proxyFailure = findProxyFailure(thrown);
  if (proxyFailure) return toProxyError(proxyFailure, host);
  const reason = errorCodeOf(thrown);
  // Whatever the network does has a code; the rest is a mistake of ours.
  if (reason === null) return toAppError(thrown);
  const options = { details: { host, reason }, retryable: true, cause: systemErrorOf(thrown) };
  if (timeoutCodes.has(reason) || nameOf(thrown) === 'TimeoutError') {
    return new AppError('network.timeout', `${host} did not answer in time`, options);
  }
  if (tlsCodes.test(reason)) {
    return new AppError('network.tls', `No secure connection to ${host}: ${reason}`, {
      ...options,
      retryable: false,
    });
  }
  return new AppError('network.offline', describeFailure(host, reason), options);
}

function findProxyFailure(thrown: unknown): ProxyFailure | null {
  if (thrown instanceof ProxyFailure) return thrown;
  return thrown instanceof Error && thrown.cause instanceof ProxyFailure ? thrown.cause : null;
}

function toProxyError(failure: ProxyFailure, host: string): AppError {
  const { proxy, status, code } = failure;
  const said = status === null ? `can't be reached: ${code}` : `answers ${status}`;
  return new AppError('network.proxy', `The proxy ${proxy} on the way to ${host} ${said}`, {
    details: { proxy, host, status, ...(status === null ? { reason: code } : {}) },
    // Its rules and its wish for a login stay as they are.
    retryable: status === null || status >= 500,
    cause: failure,
  });
}

function describeFailure(host: string, reason: string): string {
  if (brokenCodes.has(reason)) return `The connection to ${host} broke off: ${reason}`;
  // The parser's codes, when what answers speaks TLS or another protocol.
  if (reason.startsWith('HPE_')) return `${host} does not answer as a web server does: ${reason}`;
  return `${host} can't be reached: ${reason}`;
}

/** Whether a connection broke, which an immediate second attempt often mends. */
export function isConnectionReset(thrown: unknown): boolean {
  return !isAbort(thrown) && resetCodes.has(errorCodeOf(thrown) ?? '');
}

// Node's own errors hold a code, an address and a port.
function systemErrorOf(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !('options' in thrown)) return thrown;
  const { cause } = thrown;
  if (cause instanceof Error && !('options' in cause)) return cause;
  return Object.assign(new Error(thrown.name), { code: errorCodeOf(thrown) });
}

function isAbort(thrown: unknown): boolean {
  const name = nameOf(thrown);
  return name === 'AbortError' || name === 'CancelError';
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : '';
}

function errorCodeOf(thrown: unknown): string | null {
  const code: unknown =
    typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : null;
  return typeof code === 'string' && code !== '' ? code : null;
}
