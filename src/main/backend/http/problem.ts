import { AppError, type ErrorDetails } from '#shared/errors/app-error.ts';
import { isJsonObject, isTooDeep, type JsonObject } from '#shared/stac/json.ts';
import type { HttpAnswer } from './http-client.ts';
import { retryAfterMs } from './retry.ts';

/** What a server says about an error. */
export interface Problem {
  /** The server's own error code, when it names one. */
  code: string | null;
  /** One short sentence of plain text, or null when the body says nothing. */
  sentence: string | null;
}

const maxSentenceLength = 300;

/** Reads an error body of any shape: JSON of several dialects, XML, HTML, text, nothing (field notes §1.9). */
export function readProblem(answer: Pick<HttpAnswer, 'body'>): Problem {
  const text = answer.body
    .subarray(0, 64 * 1024)
    .toString('utf8')
    .trim();
  const json = parseJson(text);
  if (isJsonObject(json)) return readJsonProblem(json);
  if (typeof json === 'string') return { code: null, sentence: toSentence(json) };
  if (json !== undefined) return { code: null, sentence: Array.isArray(json) ? readDetail(json) : null };
  return text.startsWith('<')
    ? readMarkup(text.slice(0, 16 * 1024))
    : { code: null, sentence: toSentence(text) };
}

/**
 * An answer that isn't what was asked for, as an error: 401, 403 and 429 by their meaning, all others
 * `http.unexpected-status` with `details.status`. `details.reason` quotes the server; `details.retryAfterMs` is its wish.
 */
export function toStatusError(
  answer: Pick<HttpAnswer, 'status' | 'headers' | 'body'>,
  nowMs: number,
): AppError {
  const { status } = answer;
  const { code, sentence } = readProblem(answer);
  const details: ErrorDetails = {
    status,
    ...(sentence === null ? {} : { reason: sentence }),
    ...(code === null ? {} : { serverCode: code }),
  };
  const said = sentence === null ? '' : `: ${sentence}`;
  if (status === 401) {
    return new AppError('auth.required', `The catalog wants a valid access token${said}`, { details });
  }
  if (status === 403) return new AppError('auth.forbidden', `The catalog refuses access${said}`, { details });
  const waitMs = retryAfterMs(answer.headers, nowMs);
  const wish =
    waitMs === null ? {} : { retryAfterSeconds: Math.ceil(waitMs / 1000), retryAfterMs: Math.ceil(waitMs) };
  if (status === 429) {
    return new AppError('http.too-many-requests', `Too many requests at once${said}`, {
      details: { ...details, ...wish },
      retryable: true,
    });
  }
  const retryable = status >= 500 || status === 408;
  return new AppError('http.unexpected-status', `The server answered ${status}${said}`, {
    details: retryable ? { ...details, ...wish } : details,
    retryable,
  });
}

// Where servers put the sentence, the most telling first.
const sentenceMembers = [
  'description',
  'detail',
  'message',
  'error_description',
  'Message',
  'errorMessage',
  'msg',
  'reason',
  'exceptionText',
  'faultstring',
  'errors',
  'exceptions',
  'fault',
  'error',
  'title',
];

function readJsonProblem(json: JsonObject): Problem {
  const nested = json['error'];
  if (isJsonObject(nested)) return readJsonProblem(nested);
  const found = sentenceMembers.map((name) => ({ name, sentence: readDetail(json[name]) }));
  const { name, sentence } = found.find((one) => one.sentence !== null) ?? { name: null, sentence: null };
  // `error` is a code beside `error_description` (OAuth) and a sentence elsewhere.
  const code = text(json['code']) ?? (name === 'error' ? null : text(nested));
  return { code, sentence: sentence ?? toSentence(code ?? '') };
}

// A sentence, an object around one, or a list of either, such as FastAPI's {loc, msg}.
function readDetail(detail: unknown): string | null {
  if (typeof detail === 'string') return toSentence(detail);
  if (isJsonObject(detail)) return readLocated(detail);
  if (!Array.isArray(detail)) return null;
  return toSentence(
    detail
      .slice(0, 3)
      .map(readDetail)
      .filter((part) => part !== null)
      .join('; '),
  );
}

function readLocated(detail: JsonObject): string | null {
  const { sentence } = readJsonProblem(detail);
  const where = Array.isArray(detail['loc'])
    ? detail['loc'].filter((step) => step !== 'body' && step !== 'query')
    : [];
  return sentence === null || where.length === 0 ? sentence : `${where.join('.')}: ${sentence}`;
}

function readMarkup(markup: string): Problem {
  const message = elementText(markup, 'Message') ?? elementText(markup, 'message');
  if (message !== null) return { code: elementText(markup, 'Code'), sentence: toSentence(message) };
  const exception = elementText(markup, 'ows:ExceptionText') ?? elementText(markup, 'ServiceException');
  if (exception !== null) return { code: null, sentence: toSentence(exception) };
  const title = elementText(markup, 'title') ?? elementText(markup, 'h1');
  return { code: elementText(markup, 'Code'), sentence: toSentence(title ?? stripTags(markup)) };
}

function elementText(markup: string, name: string): string | null {
  const match = new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`).exec(markup);
  return match?.[1]?.trim() ? match[1] : null;
}

function stripTags(markup: string): string {
  return markup.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#39': "'",
};

function toSentence(raw: string): string | null {
  const plain = raw
    .replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (_, name: string) => entities[name] ?? ' ')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const safe = maskSecrets(plain);
  if (safe === '') return null;
  return safe.length > maxSentenceLength ? `${safe.slice(0, maxSentenceLength - 1)}…` : safe;
}

// Servers quote the request back: its token, or a signed link.
function maskSecrets(sentence: string): string {
  return sentence
    .replace(/\bbearer\s+[\w.~+/=-]{8,}/gi, 'Bearer …')
    .replace(/\b(token|secret)\b([\s:='"]+)(?=\S*\d)[\w.~+/=-]{16,}/gi, '$1$2…')
    .replace(/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, '…')
    .replace(/(https?:\/\/[^\s?"'<>]+)\?[^\s"'<>]*/gi, '$1?…')
    .replace(
      /\b((?:x-amz-|x-goog-)?(?:signature|credential|security-token)|sig|awsaccesskeyid|access_token)=[^\s&"'<>]+/gi,
      '$1=…',
    );
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function parseJson(source: string): unknown {
  try {
    const json = JSON.parse(source) as unknown;
    return isTooDeep(json) ? undefined : json;
  } catch {
    return undefined;
  }
}
