import { expect, it } from 'vitest';
import { GatheredRefs } from './gathered-refs.ts';

const refOf = (itemId: string) => ({ collectionId: 's2', itemId });

it('gathers each item once on an occasion, and says when the gathering begins', () => {
  const gathered = new GatheredRefs();
  expect(['a', 'b', 'a'].map((id) => gathered.want(refOf(id), 'first'))).toEqual([true, false, false]);
  expect(gathered.take()).toEqual([refOf('a'), refOf('b')]);
  expect(gathered.want(refOf('a'), 'first')).toBe(false);
  expect(gathered.want(refOf('a'), 'second')).toBe(true);
  expect(gathered.take()).toEqual([refOf('a')]);
});

it('asks again for what was not answered, and for all of it when another catalog was in use between', () => {
  const gathered = new GatheredRefs();
  gathered.want(refOf('a'), 'first');
  gathered.giveBack(gathered.take());
  expect(gathered.want(refOf('a'), 'first')).toBe(true);
  gathered.forget();
  expect(gathered.want(refOf('a'), 'first')).toBe(true);
  expect(gathered.take()).toEqual([refOf('a')]);
});
