import { expect, it } from 'vitest';
import { noAssets } from '#shared/selection/asset-rule.ts';
import { AssetChoiceState } from './asset-choice-state.svelte.ts';
import type { Session } from './session.svelte.ts';

it('tells what is chosen though the selection before was closed while its total was asked for', async () => {
  const opened: { onEvent: (summary: object) => void }[] = [];
  let refuse = (): void => undefined;
  const asked: { selectionId: string }[] = [];
  const selection = {
    assets: (_: unknown, listener: { onEvent: (summary: object) => void }) => {
      opened.push(listener);
      return () => undefined;
    },
    total: (question: { selectionId: string }) => {
      asked.push(question);
      return question.selectionId === 'one'
        ? new Promise((_, reject) => (refuse = () => reject(new Error('closed'))))
        : Promise.resolve({ chosenKeyCount: 2 });
    },
  };
  const folders = { suggested: () => Promise.reject(new Error('none')) };
  const session = { onOpen: () => undefined, client: { selection, folders } };
  const choice = new AssetChoiceState(session as unknown as Session);
  const summary = { kinds: [], isDone: true, lastRule: null };
  choice.lookAt([{ collectionId: 'c', itemId: 'a' }]);
  opened[0]?.onEvent({ ...summary, selectionId: 'one' });
  choice.lookAt([{ collectionId: 'c', itemId: 'b' }]);
  opened[1]?.onEvent({ ...summary, selectionId: 'two' });
  choice.setRule({ ...noAssets, keys: ['red', 'nir'] });
  refuse();
  await expect.poll(() => choice.total).toEqual({ chosenKeyCount: 2 });
  expect(asked.map(({ selectionId }) => selectionId)).toEqual(['one', 'two']);
});
