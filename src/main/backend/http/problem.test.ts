import { describe, expect, it } from 'vitest';
import { readProblem, toStatusError } from './problem.ts';

function answerOf(body: unknown, status = 400) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: {}, body: Buffer.from(text) };
}

const nginx = `<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body></html>`;
const s3 = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message><X-Amz-Expires>300</X-Amz-Expires></Error>`;

describe('readProblem', () => {
  it.each([
    [
      'STAC',
      { code: 'NotFoundError', description: 'Item x does not exist.' },
      'NotFoundError',
      'Item x does not exist.',
    ],
    ['STAC without description', { code: 'NotFound' }, 'NotFound', 'NotFound'],
    ['numeric code', { code: 400, message: 'Bad bbox' }, null, 'Bad bbox'],
    ['FastAPI', { detail: 'Not Found' }, null, 'Not Found'],
    [
      'FastAPI validation',
      {
        detail: [{ loc: ['body', 'limit'], msg: 'must be > 0', type: 'x' }, { msg: 'and more' }],
        body: { a: 1 },
      },
      null,
      'limit: must be > 0; and more',
    ],
    ['API gateway', { message: 'Unauthorized' }, null, 'Unauthorized'],
    ['AWS', { Message: 'User is not authorized' }, null, 'User is not authorized'],
    [
      'OAuth',
      { error: 'invalid_client', error_description: 'No such client' },
      'invalid_client',
      'No such client',
    ],
    ['OAuth bare', { error: 'invalid_client' }, null, 'invalid_client'],
    ['nested', { error: { code: 'E1', message: 'Nested' } }, 'E1', 'Nested'],
    ['problem+json', { title: 'Conflict', status: 409 }, null, 'Conflict'],
    [
      'list of errors',
      { errors: ['bad bbox', 'bad datetime', 'bad limit', 'more'] },
      null,
      'bad bbox; bad datetime; bad limit',
    ],
    ['errors with messages', { errors: [{ message: 'Syntax' }] }, null, 'Syntax'],
    [
      'OGC exceptions',
      { exceptions: [{ exceptionCode: 'X', exceptionText: 'No such thing' }] },
      null,
      'No such thing',
    ],
    [
      'API management',
      { fault: { faultstring: 'Invalid ApiKey', detail: { errorcode: 'x' } } },
      null,
      'Invalid ApiKey',
    ],
    ['detail in detail', { detail: { code: 'E', description: 'Deep' } }, null, 'Deep'],
    ['bare list', [{ errorMessage: 'One' }], null, 'One'],
    ['numbers and empty texts', { message: '', detail: 17, title: 'Left' }, null, 'Left'],
    ['null members', { code: null, description: null }, null, null],
    ['S3', s3, 'AccessDenied', 'Request has expired'],
    ['nginx', nginx, null, '502 Bad Gateway'],
    ['HTML without title', '<p>Sorry &amp; <b>bye</b><script>alert(1)</script>', null, 'Sorry & bye'],
    ['text', ' upstream\n timeout ', null, 'upstream timeout'],
    ['JSON text', '"plain"', null, 'plain'],
    ['empty', '', null, null],
    ['array', '[1,2]', null, null],
    ['number', '17', null, null],
  ])('%s', (_name, body, code, sentence) => {
    expect(readProblem(answerOf(body))).toEqual({ code, sentence });
  });

  it('quotes no more than a few hundred characters', () => {
    expect(readProblem(answerOf('x'.repeat(100_000))).sentence?.length).toBe(300);
  });

  it('quotes an answer as text that is nested too deeply to be read', () => {
    const nested = `{"error":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    expect(readProblem(answerOf(nested)).sentence).toMatch(/^\{"error":\[+…$/);
  });

  it.each([
    'Header Authorization: Bearer abcdef0123456789 is bad',
    'No access to https://s3.example/k?Signature=abcdef0123456789&Expires=1',
    'Token eyJhbGciOi.abcdef0123456789.sig rejected',
    'Invalid token "abcdef0123456789"',
    'X-Amz-Security-Token=abcdef0123456789 expired',
  ])('repeats no secret: %s', (text) => {
    expect(readProblem(answerOf({ detail: text })).sentence).not.toContain('abcdef0123456789');
  });
});

describe('toStatusError', () => {
  it.each([
    [401, 'auth.required', false],
    [403, 'auth.forbidden', false],
    [429, 'http.too-many-requests', true],
    [404, 'http.unexpected-status', false],
    [502, 'http.unexpected-status', true],
  ] as const)('%i becomes %s', (status, code, retryable) => {
    const error = toStatusError(answerOf({ description: 'Why' }, status), 0);
    expect(error.toData()).toMatchObject({ code, retryable, details: { status, reason: 'Why' } });
  });

  it('says when to come back', () => {
    const error = toStatusError({ ...answerOf('', 429), headers: { 'retry-after': '120' } }, 0);
    expect(error.details['retryAfterSeconds']).toBe(120);
  });
});
