import { expect, it } from 'vitest';
import { giveBack, takeBlock } from './blocks.ts';
import { beginsWithPage } from './pages.ts';

it('uses blocks on pages again, and has no more of them than it keeps', () => {
  const take = (count: number) => Array.from({ length: count }, () => takeBlock());
  const blocks = take(60);
  const onPages = blocks.filter((block) => beginsWithPage(block.room()));
  expect(onPages).toHaveLength(48);
  for (const block of blocks) {
    giveBack(block.fill(1000));
    block.retire();
  }
  const again = take(50);
  expect(again.filter((block) => beginsWithPage(block.room()))).toHaveLength(48);
  expect(new Set(again.map((block) => block.room().buffer)).size).toBe(50);
  for (const block of again) block.retire();
});

it('hands no block out again before all that was filled came back', () => {
  const block = takeBlock(100);
  const memory = block.room().buffer;
  const [first, second] = [block.fill(500), block.fill(700)];
  block.retire();
  giveBack(second);
  const isHandedOut = () => {
    const other = takeBlock();
    const isSame = other.room().buffer === memory;
    other.retire();
    return isSame;
  };
  expect(isHandedOut()).toBe(false);
  giveBack(first);
  expect(isHandedOut()).toBe(true);
});
