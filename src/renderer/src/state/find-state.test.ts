import { expect, it } from 'vitest';
import { eventually } from '#shared/testing/eventually.ts';
import { FindState } from './find-state.svelte.ts';
import type { Session } from './session.svelte.ts';

interface Answer {
  rows: never[];
  hasMore: boolean;
}

/** A library that answers when the test says so. */
function createFind() {
  const asked: { text: string; answer: (answer: Answer) => void }[] = [];
  const find = ({ text }: { text: string }) =>
    new Promise<Answer>((resolve) => asked.push({ text, answer: resolve }));
  const session = { client: { library: { find } } } as unknown as Session;
  return { state: new FindState(session), asked };
}

it('asks one question at a time, and the newest text next', async () => {
  const { state, asked } = createFind();
  for (const text of ['s', 's2', 's2b']) state.type(text);
  expect(asked.map(({ text }) => text)).toEqual(['s']);
  asked[0]?.answer({ rows: [], hasMore: true });
  await eventually(() => expect(asked.map(({ text }) => text)).toEqual(['s', 's2b']));
  asked[1]?.answer({ rows: [], hasMore: false });
  await eventually(() => expect(state.found).toMatchObject({ text: 's2b', hasMore: false }));
  expect(state.isAsking).toBe(false);
});

it('shows nothing for a text that was taken away meanwhile', async () => {
  const { state, asked } = createFind();
  state.type('landsat');
  state.type('');
  asked[0]?.answer({ rows: [], hasMore: false });
  await eventually(() => expect(state.isAsking).toBe(false));
  expect(state.found).toBeNull();
});
