import { expect, it } from 'vitest';
import { systemClock } from '../ports.ts';
import { createAccountGates } from './account-gates.ts';

it('finds the gate of a server by any of its addresses', () => {
  const gates = createAccountGates(systemClock);
  const gate = gates.gateOf({
    id: 'a',
    name: 'A',
    links: 'auto',
    maxRequests: 30,
    source: {
      kind: 'remote',
      baseUrl: 'https://a.example/stac',
      auth: { kind: 'token' },
      findSecret: () => Promise.resolve(null),
    },
    settings: null,
    way: 'a',
  });
  expect(gates.findGate('https://a.example/v2')).toBe(gate);
  expect(gates.findGate('https://b.example/stac')).toBeNull();
});
