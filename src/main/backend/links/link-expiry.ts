// SigV4 and its likes can't be signed for longer; a larger number is not an age.
const maxSignedSeconds = 604_800;

/**
 * When a link ends, in milliseconds since 1970 by the clock that signed it, or null when it carries no readable expiry
 * (field notes §1.12). Of several ends the earliest counts. Names match in any case; unreadable values are ignored.
 */
export function readLinkExpiry(url: string): number | null {
  const params = readParams(url);
  const ends = [
    ...epochEnds(params),
    dateAndAge(params, 'x-amz-date', 'x-amz-expires'),
    dateAndAge(params, 'x-goog-date', 'x-goog-expires'),
    ...azureEnds(params),
    policyEnd(params),
  ].filter((end) => end !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}

type Params = ReadonlyMap<string, string>;

function readParams(url: string): Params {
  const params = new Map<string, string>();
  if (!URL.canParse(url)) return params;
  for (const [name, value] of new URL(url).searchParams) {
    if (!params.has(name.toLowerCase())) params.set(name.toLowerCase(), value);
  }
  return params;
}

// S3 SigV2, GCS V2 and CloudFront: a moment as Unix seconds, next to a signature.
function epochEnds(params: Params): (number | null)[] {
  return params.has('signature') ? [epochMs(params.get('expires'))] : [];
}

function dateAndAge(params: Params, dateName: string, ageName: string): number | null {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(params.get(dateName) ?? '');
  const seconds = wholeNumber(params.get(ageName));
  if (!match || seconds === null || seconds > maxSignedSeconds) return null;
  const [, year, month, day, hour, minute, second] = match;
  const startMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(startMs) ? null : startMs + seconds * 1000;
}

function isAzureSas(params: Params): boolean {
  return params.has('sig') && (params.has('se') || params.has('sv'));
}

// A SAS of user-delegation kind also dies with its key (`ske`).
function azureEnds(params: Params): (number | null)[] {
  if (!isAzureSas(params)) return [];
  return [isoMs(params.get('se')), params.has('skoid') ? isoMs(params.get('ske')) : null];
}

function policyEnd(params: Params): number | null {
  if (!params.has('key-pair-id')) return null;
  // CloudFront writes base64 with - _ ~ in place of + = /.
  const text = (params.get('policy') ?? '').replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/');
  const match = /"AWS:EpochTime"\s*:\s*(\d+)/.exec(
    lessThanCondition(Buffer.from(text, 'base64').toString('utf8')) ?? '',
  );
  return epochMs(match?.[1]);
}

function lessThanCondition(policy: string): string | null {
  return /"DateLessThan"\s*:\s*\{[^}]*\}/.exec(policy)?.[0] ?? null;
}

function epochMs(text: string | undefined): number | null {
  const seconds = wholeNumber(text);
  // Beyond is not a time that `Date` knows.
  return seconds === null || seconds > 8.64e12 ? null : seconds * 1000;
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

// Date, minutes or seconds form, always UTC; a form without zone would be read as local time.
function isoMs(text: string | undefined): number | null {
  const match = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/i.exec(
    text?.trim() ?? '',
  );
  if (!match) return null;
  const [, date, minutes = '00:00', seconds = ':00', zone = 'Z'] = match;
  const ms = Date.parse(`${date}T${minutes}${seconds}${zone}`);
  return Number.isNaN(ms) ? null : ms;
}
