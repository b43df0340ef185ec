import { AppError } from '#shared/errors/app-error.ts';
import { toNetworkError } from '../../http/network-error.ts';
import { untilAborted } from '../../http/until-aborted.ts';
import type { Clock } from '../../ports.ts';

/** Keys of an AWS account. Never logged, stored or quoted. */
export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  expiration?: Date;
}

/** The user's own AWS credentials, found where the AWS command line finds them. */
export interface UserCredentials {
  /** @throws AppError `link.credentials`, `network.*`, `cancelled` */
  get(signal?: AbortSignal): Promise<AwsKeys>;
}

const minLeftMs = 5 * 60_000;
/** Files may be changed at any time; so long is what they said taken for true. */
const maxAgeMs = 60_000;

/**
 * Credentials of the environment's variables, or of the profile in `~/.aws`: keys, a login by SSO, a role, a program. The
 * machine's metadata service is never asked. `find` is for tests.
 */
export function createUserCredentials(options: {
  clock: Clock;
  find?: () => Promise<AwsKeys>;
}): UserCredentials {
  const { clock, find = findKeys } = options;
  let kept: { keys: AwsKeys; foundAtMs: number } | null = null;
  let finding: Promise<AwsKeys> | null = null;

  function isUsable({ keys, foundAtMs }: { keys: AwsKeys; foundAtMs: number }): boolean {
    const nowMs = clock.now();
    const isRecent = nowMs >= foundAtMs && nowMs - foundAtMs < maxAgeMs;
    const { expiration } = keys;
    return expiration === undefined ? isRecent : expiration.getTime() - nowMs >= minLeftMs;
  }

  async function findAnew(): Promise<AwsKeys> {
    try {
      const keys = await find();
      kept = { keys, foundAtMs: clock.now() };
      return keys;
    } catch (thrown) {
      throw toCredentialsError(thrown);
    } finally {
      finding = null;
    }
  }

  return {
    async get(signal) {
      if (kept !== null && isUsable(kept)) return kept.keys;
      finding ??= findAnew();
      return untilAborted(finding, signal);
    },
  };
}

// The providers' own order without those that ask a metadata service.
async function findKeys(): Promise<AwsKeys> {
  const { fromEnv, fromIni } = await import('@aws-sdk/credential-providers');
  try {
    return await fromEnv()();
  } catch {
    return fromIni({ ignoreCache: true })();
  }
}

// What the providers say names files, profiles and accounts; a person needs what to do.
function toCredentialsError(thrown: unknown): AppError {
  const name = thrown instanceof Error ? thrown.name : '';
  const code: unknown = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (typeof code === 'string') return toNetworkError(thrown, 'https://sso.amazonaws.com');
  const said = thrown instanceof Error ? thrown.message : '';
  const isLoginOver = name === 'TokenProviderError' || /expired|sso login|sso session/i.test(said);
  const reason = isLoginOver
    ? 'The AWS login is over; log in again with “aws sso login”.'
    : /multi-factor/i.test(said)
      ? 'The profile asks for a second factor, which only the AWS command line can take.'
      : 'There are none in the environment or in the profile.';
  return new AppError('link.credentials', 'There are no usable AWS credentials', { details: { reason } });
}
