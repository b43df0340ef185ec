import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError } from '#shared/errors/app-error.ts';
import { createMask } from '../http/mask-texts.ts';
import { readProblem, type Problem } from '../http/problem.ts';
import { readWhy, type After } from '../http/read-body.ts';
import { secretsIn } from '../http/redact-url.ts';
import { serverNowMs } from '../http/retry.ts';
import type { Clock } from '../ports.ts';

/**
 * Why a storage refuses a link, as far as it says so (downloads.md c.2). `expired`: the link's time is over;
 * `credentials`: whoever signed it may not any more; `skewed`: the clock that signed it is wrong; `region`: the bucket is
 * elsewhere; `gone`: no such file; `own-mistake`: the request carried two permissions; `forbidden`: anything else.
 */
export type Refusal = 'expired' | 'credentials' | 'skewed' | 'region' | 'gone' | 'own-mistake' | 'forbidden';

const refusalOfCode: Readonly<Record<string, Refusal>> = {
  expiredtoken: 'expired',
  requestexpired: 'expired',
  tokenrefreshrequired: 'credentials',
  invalidtoken: 'credentials',
  invalidaccesskeyid: 'credentials',
  invalidclienttokenid: 'credentials',
  signaturedoesnotmatch: 'credentials',
  authenticationfailed: 'credentials',
  requesttimetooskewed: 'skewed',
  permanentredirect: 'region',
  authorizationheadermalformed: 'region',
  illegallocationconstraintexception: 'region',
  nosuchkey: 'gone',
  nosuchbucket: 'gone',
  blobnotfound: 'gone',
  containernotfound: 'gone',
};

/** An answer that refuses a link. */
interface RefusingAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The link that was refused, and where it has redirected: secrets of these are masked where the storage repeats them. */
  urls?: readonly string[];
}

/**
 * Reads why a storage refused a link: `link.refused`, or `link.gone` for 404 and 410, with `details.refusal`, and the
 * server's own words where it has some. Takes at most 64 KiB of the body and ends it; a body that breaks off says nothing.
 */
export async function readRefusal(
  answer: RefusingAnswer & { body: Readable },
  { clock, timers }: { clock: Clock; timers: { after: After } },
): Promise<AppError> {
  const body = await readWhy(answer.body, (...delayed) => timers.after(...delayed));
  return toRefusal({ ...answer, body }, clock.now());
}

/** An answer of a storage that refuses a link, as an error. */
export function toRefusal(answer: RefusingAnswer & { body: Buffer }, nowMs: number): AppError {
  const { status, headers } = answer;
  const { code: serverCode, sentence } = readMasked(answer);
  const refusal = classifyRefusal({ status, serverCode, text: answer.body.toString('utf8') });
  const serverMs = serverNowMs(headers);
  const clockAheadMinutes = serverMs === null ? 0 : Math.round((nowMs - serverMs) / 60_000);
  const bucketRegion = readRegion(headers, answer.body);
  const details = {
    status,
    refusal,
    ...(serverCode === null ? {} : { serverCode }),
    ...(sentence === null || refusal === 'gone' ? {} : { reason: sentence }),
    ...(clockAheadMinutes === 0 ? {} : { clockAheadMinutes }),
    ...(bucketRegion === null ? {} : { bucketRegion }),
  };
  return refusal === 'gone'
    ? new AppError('link.gone', 'The file is not in the storage any more', { details })
    : new AppError('link.refused', `The storage refused the link: ${refusal}`, { details });
}

// Masked as a whole, since a sentence may be cut short in the middle of a secret, and again when it is unpacked.
function readMasked({ urls = [], body }: RefusingAnswer & { body: Buffer }): Problem {
  const mask = createMask(urls.flatMap(secretsIn));
  const { code, sentence } = readProblem({ body: Buffer.from(mask(body.toString('utf8'))) });
  return { code: code && mask(code), sentence: sentence && mask(sentence) };
}

/** What an error of `readRefusal` said; null for any other error. */
export function refusalOf(error: AppError): Refusal | null {
  const { refusal } = error.details;
  return typeof refusal === 'string' ? (refusal as Refusal) : null;
}

/** Codes by which S3, Azure and Google say that a file may not be had, by whomever and however few. */
const codesOfFile: ReadonlySet<unknown> = new Set([
  'accessdenied',
  'allaccessdisabled',
  'authorizationfailure',
  'authorizationpermissionmismatch',
  'insufficientaccountpermissions',
  'invalidobjectstate',
]);

/** Whether a refusal may be one of a connection too many, and not of the link (downloads.md B8). */
export function mayBeOneTooMany(error: AppError): boolean {
  const { serverCode } = error.details;
  const isOfFile = typeof serverCode === 'string' && codesOfFile.has(serverCode.toLowerCase());
  return refusalOf(error) === 'forbidden' && !isOfFile;
}

function classifyRefusal(said: { status: number; serverCode: string | null; text: string }): Refusal {
  const { status, serverCode, text } = said;
  // Azure names one code for all, and says the rest in words; S3 calls an old link `AccessDenied`.
  if (/request has expired|in the specified time frame|token (?:is|has) expired/i.test(text))
    return 'expired';
  if (/only one auth mechanism/i.test(text)) return 'own-mistake';
  if (/not valid yet|not yet valid/i.test(text)) return 'skewed';
  const known = refusalOfCode[serverCode?.toLowerCase() ?? ''];
  if (known !== undefined) return known;
  if (status === 404 || status === 410) return 'gone';
  return 'forbidden';
}

function readRegion(headers: IncomingHttpHeaders, body: Buffer): string | null {
  const stated =
    headers['x-amz-bucket-region'] ?? /<Region>([^<]*)<\/Region>/.exec(body.toString('utf8'))?.[1];
  return typeof stated === 'string' && /^[a-z0-9-]{1,40}$/.test(stated) ? stated : null;
}
