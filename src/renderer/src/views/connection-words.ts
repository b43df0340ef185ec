import type { ConnectionState } from '../state/connection-state.svelte.ts';

/** The catalog's state in a word or two, and its colour. */
export function describeConnection(status: ConnectionState['status']): {
  words: string;
  tone: 'ok' | 'warn' | 'bad';
} {
  switch (status) {
    case 'starting':
      return { words: 'Starting', tone: 'warn' };
    case 'online':
      return { words: 'Connected', tone: 'ok' };
    case 'offline':
      return { words: 'Can’t be reached', tone: 'bad' };
    case 'unauthorized':
      return { words: 'Not let in', tone: 'bad' };
    case 'failed':
      return { words: 'Failed', tone: 'bad' };
  }
}
