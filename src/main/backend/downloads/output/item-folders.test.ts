import { expect, it } from 'vitest';
import { createManualTime } from '../testing/manual-time.ts';
import { createItemFolders, type ItemFolder } from './item-folders.ts';

function setUp() {
  const time = createManualTime();
  const folders = createItemFolders(time.timers);
  let findCount = 0;
  const find = (): Promise<ItemFolder> => {
    findCount += 1;
    return Promise.resolve({ path: '/out/s2/2024/scene', names: new Map() });
  };
  return { time, folders, find, findCount: () => findCount };
}

it('looks for a folder once for transfers that run beside each other, and anew for later ones', async () => {
  const { folders, find, findCount } = setUp();
  await Promise.all([folders.enter(1, 'scene', find), folders.enter(2, 'scene', find)]);
  folders.leave(1);
  await folders.enter(3, 'scene', find);
  expect(findCount()).toBe(1);
  await folders.enter(4, 'other', find);
  expect(findCount()).toBe(2);
  for (const transferId of [2, 3]) folders.leave(transferId);
  await folders.enter(5, 'scene', find);
  expect(findCount()).toBe(3);
});

it('knows of names that were given since, and of others after two seconds', async () => {
  const { time, folders, find, findCount } = setUp();
  await folders.enter(1, 'scene', find);
  folders.noteName('/out/s2/2024/scene/B04.tif');
  folders.noteName('/out/s2/2024/another/B05.tif');
  expect([...(await folders.enter(2, 'scene', find)).names.values()]).toEqual(['B04.tif']);
  time.advance(2000);
  expect([...(await folders.enter(3, 'scene', find)).names.values()]).toEqual([]);
  expect(findCount()).toBe(2);
});

it('forgets what could not be found', async () => {
  const { folders, find } = setUp();
  const failing = () => Promise.reject(new Error('EACCES'));
  await expect(folders.enter(1, 'scene', failing)).rejects.toThrow('EACCES');
  expect((await folders.enter(2, 'scene', find)).path).toBe('/out/s2/2024/scene');
});
