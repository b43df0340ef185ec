import { expect, it } from 'vitest';
import { isConnectionReset, toNetworkError } from './network-error.ts';

const url = 'https://user:secret@api.example:8443/search?sig=secret';

function thrownWith(code: string, name = 'RequestError'): Error {
  return Object.assign(new Error(`failed at ${url}`), { code, name });
}

it.each([
  ['ENOTFOUND', 'network.offline', true],
  ['EAI_AGAIN', 'network.offline', true],
  ['ECONNREFUSED', 'network.offline', true],
  ['ENETUNREACH', 'network.offline', true],
  ['EHOSTUNREACH', 'network.offline', true],
  ['ECONNRESET', 'network.offline', true],
  ['HPE_INVALID_CONSTANT', 'network.offline', true],
  ['ETIMEDOUT', 'network.timeout', true],
  ['CERT_HAS_EXPIRED', 'network.tls', false],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'network.tls', false],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'network.tls', false],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'network.tls', false],
  ['EPROTO', 'network.tls', false],
])('%s is %s', (reason, code, retryable) => {
  const error = toNetworkError(thrownWith(reason), url);
  expect(error.toData()).toMatchObject({ code, retryable, details: { host: 'api.example:8443', reason } });
  expect(JSON.stringify(error.toData())).not.toContain('secret');
});

it.each([
  ['ENOTFOUND', "api.example:8443 can't be reached"],
  ['ECONNRESET', 'The connection to api.example:8443 broke off'],
  ['ERR_HTTP_CONTENT_LENGTH_MISMATCH', 'The connection to api.example:8443 broke off'],
  ['HPE_INVALID_CONSTANT', 'api.example:8443 does not answer as a web server does'],
])('%s is put into words', (reason, sentence) => {
  expect(toNetworkError(thrownWith(reason), url).message).toBe(`${sentence}: ${reason}`);
});

it('a timeout of got and an abort are known by name', () => {
  expect(toNetworkError(thrownWith('X', 'TimeoutError'), url).code).toBe('network.timeout');
  expect(toNetworkError(thrownWith('ERR_ABORTED', 'AbortError'), url).code).toBe('cancelled');
  expect(toNetworkError(new DOMException('stop', 'AbortError'), url).code).toBe('cancelled');
});

it('a mistake of ours is not taken for a bad network', () => {
  expect(toNetworkError(new TypeError('undefined is not a function'), url).code).toBe('internal');
});

it('only broken connections are tried again at once', () => {
  expect(isConnectionReset(thrownWith('ECONNRESET'))).toBe(true);
  expect(isConnectionReset(thrownWith('ENOTFOUND'))).toBe(false);
  expect(isConnectionReset(thrownWith('ECONNRESET', 'AbortError'))).toBe(false);
});
