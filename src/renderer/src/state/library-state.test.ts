import { expect, it } from 'vitest';
import { LibraryState } from './library-state.svelte.ts';
import type { Session } from './session.svelte.ts';

/** A library in which only area 2 can be counted, each when the test lets it. */
function open() {
  const counting: { areaId: number; end: () => void }[] = [];
  const area = ({ areaId }: { areaId: number }) =>
    new Promise((resolve, reject) => {
      const end = () => (areaId === 2 ? resolve({ itemCount: 7 }) : reject(new Error('Out of reach')));
      counting.push({ areaId, end });
    });
  const client = { library: { area, overview: () => Promise.resolve({ itemCount: 7 }) } };
  return { state: new LibraryState({ client } as unknown as Session), counting };
}

it('counts all areas, whatever is looked through meanwhile, and says which can’t be counted', async () => {
  const { state, counting } = open();
  const counted = state.loadAreas([1, 2]);
  await state.load();
  counting[0]?.end();
  await expect.poll(() => counting.length).toBe(2);
  counting[1]?.end();
  await counted;
  expect(state.areas).toEqual({ 1: null, 2: { itemCount: 7 } });
});

it('never tells of areas what was counted for another catalog', async () => {
  const { state, counting } = open();
  const counted = state.loadAreas([2, 1]);
  state.forget();
  counting[0]?.end();
  await counted;
  expect(state.areas).toEqual({});
  expect(counting).toHaveLength(1);
});
