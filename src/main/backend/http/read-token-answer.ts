import { AppError } from '#shared/errors/app-error.ts';
import { isJsonObject } from '#shared/stac/json.ts';

/** A token as a token service gave it. */
export interface IssuedToken {
  token: string;
  /** How long it is valid from the answer on. */
  livesMs: number;
}

// RFC 6749 §5.1 lets a service leave `expires_in` out where its documentation says how long. The service that this is
// made for documents one hour (field notes §1.1); a wrong guess costs one 401, which renews the token.
const assumedLifeSeconds = 3600;

/**
 * Reads the answer of a token address (RFC 6749 §5.1).
 * @throws AppError `http.unexpected-status` with `details.reason` when there is no Bearer token in it
 */
export function readTokenAnswer(
  body: Buffer,
  { host, status }: { host: string; status: number },
): IssuedToken {
  const json = parse(body);
  if (!isJsonObject(json)) throw unusable('it does not answer as a token service does', { host, status });
  const { access_token: token, token_type: type } = json;
  // A header can carry nothing else; a line break in it would end the header.
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw unusable('its answer holds no usable access_token', { host, status });
  }
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer') {
    throw unusable('its tokens are not Bearer tokens', { host, status });
  }
  return { token, livesMs: readLifeSeconds(json['expires_in']) * 1000 };
}

function readLifeSeconds(value: unknown): number {
  const seconds = typeof value === 'string' ? Number.parseFloat(value) : value;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0) return assumedLifeSeconds;
  return seconds;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function unusable(reason: string, { host, status }: { host: string; status: number }): AppError {
  return new AppError('http.unexpected-status', `The token address at ${host} can't be used: ${reason}`, {
    details: { status, host, reason: `The token address at ${host} can’t be used: ${reason}` },
  });
}
