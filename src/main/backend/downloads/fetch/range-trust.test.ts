import { expect, it } from 'vitest';
import { createHosts } from '../limits/hosts.ts';
import { createManualTime } from '../testing/manual-time.ts';
import { mayUseRanges, noteUnreliable } from './range-trust.ts';

it('ranges of a server are worth a try again ten minutes after one was wrong', () => {
  const time = createManualTime();
  const { timers } = time;
  const parts = { timers, hosts: createHosts({ timers, random: () => 1, mostConnections: 4 }) };
  const [origin, other] = ['https://storage.example', 'https://other.example'];
  noteUnreliable(parts, origin);
  time.advance(599_000);
  expect([mayUseRanges(parts, origin), mayUseRanges(parts, other)]).toEqual([false, true]);
  time.advance(1000);
  expect(mayUseRanges(parts, origin)).toBe(true);
});
