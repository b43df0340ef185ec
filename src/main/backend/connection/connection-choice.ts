import { createHash } from 'node:crypto';

/** The catalog to use: the generated one, or one on the network. */
export type ConnectionChoice =
  | { kind: 'demo'; itemCount?: number; seed?: number }
  | { kind: 'remote'; baseUrl: string; token: string | null };

/** What people see of the choice. */
export function describeChoice(choice: ConnectionChoice): { kind: 'demo' | 'remote'; name: string } {
  if (choice.kind === 'demo') return { kind: 'demo', name: 'Demo catalog' };
  return { kind: 'remote', name: new URL(choice.baseUrl).host };
}

/** Tells the files of one catalog from another's. The demo catalog has another port each time, but is the same. */
export function keyOfChoice(choice: ConnectionChoice): string {
  if (choice.kind === 'demo') return 'demo';
  return createHash('sha256').update(choice.baseUrl.replace(/\/+$/, '')).digest('hex').slice(0, 16);
}
