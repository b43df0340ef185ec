import type { ConnectionEntry } from '#shared/connection/connection-list.ts';

/** The catalog's state in a word or two, and its colour. */
export function describeConnection(state: ConnectionEntry['state']): {
  words: string;
  tone: 'ok' | 'warn' | 'bad' | 'idle';
} {
  switch (state) {
    case 'closed':
      return { words: 'Not connected', tone: 'idle' };
    case 'starting':
      return { words: 'Starting', tone: 'warn' };
    case 'online':
      return { words: 'Connected', tone: 'ok' };
    case 'offline':
      return { words: 'Can’t be reached', tone: 'bad' };
    case 'faulty':
      return { words: 'Answers with errors', tone: 'bad' };
    case 'unauthorized':
      return { words: 'Not let in', tone: 'bad' };
    case 'failed':
      return { words: 'Failed', tone: 'bad' };
  }
}

/** How a catalog lets its users in, and where the secret for it is. */
export function describeAccess({ kind, auth, secretPlace }: ConnectionEntry): string {
  if (kind === 'demo') return 'On this computer, no account needed';
  if (auth === null) return 'Named on the command line, for this run';
  if (auth.kind === 'none') return 'Open to everybody';
  const what = auth.kind === 'token' ? 'Access token' : 'Client credentials';
  return `${what}, ${secretPlace === null ? 'none on this computer' : placeWords[secretPlace]}`;
}

const placeWords: Record<NonNullable<ConnectionEntry['secretPlace']>, string> = {
  keychain: 'in the keychain',
  session: 'kept until Swath ends',
  environment: 'from the environment',
};
