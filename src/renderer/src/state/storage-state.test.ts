import { expect, it } from 'vitest';
import type { StorageStatus } from '#shared/storage/storage.ts';
import { NoticesState } from './notices-state.svelte.ts';
import type { Session } from './session.svelte.ts';
import { StorageState } from './storage-state.svelte.ts';

type Tell = (status: StorageStatus) => void;

it('says when figures of the libraries are worth reading anew', () => {
  let tell: Tell = () => undefined;
  const watch = (_: unknown, { onEvent }: { onEvent: Tell }) => void (tell = onEvent);
  const session = { onOpen: (open: (client: unknown) => void) => open({ storage: { watch } }) };
  const state = new StorageState(session as unknown as Session, new NoticesState());
  const occasionAfter = (fraction: number | null, outcomeAtMs: number | null): string => {
    tell({
      outcome: outcomeAtMs === null ? null : { atMs: outcomeAtMs },
      libraries: [
        { connectionId: 'a', isKept: true, recovery: fraction === null ? null : { atMs: 5, fraction } },
      ],
    } as unknown as StorageStatus);
    return state.occasion;
  };

  const sound = occasionAfter(null, null);
  const begun = occasionAfter(0, null);
  expect(begun).not.toBe(sound);
  expect(occasionAfter(0.6, null)).toBe(begun);
  const over = occasionAfter(1, null);
  expect(over).not.toBe(begun);
  expect(occasionAfter(1, 7)).not.toBe(over);
});

it('says once that the folder of the libraries is not there, in place of what follows from it', () => {
  let tell: Tell = () => undefined;
  const watch = (_: unknown, { onEvent }: { onEvent: Tell }) => void (tell = onEvent);
  const session = { onOpen: (open: (client: unknown) => void) => open({ storage: { watch } }) };
  const notices = new NoticesState();
  const state = new StorageState(session as unknown as Session, notices);
  const status = {
    folderProblem: { code: 'library.folder-missing', message: '', details: { folder: '/drive/libraries' } },
    libraries: [{ connectionId: 'a', isKept: false, recovery: null }],
  } as unknown as StorageStatus;
  tell(status);
  tell({ ...status });
  expect(state.status).toEqual(status);
  expect(notices.all.map(({ text, hint, count }) => [text, hint, count])).toEqual([
    [
      'The folder of the libraries is not there',
      expect.stringMatching(/^\/drive\/libraries can’t be found\. Connect the drive it is on/) as string,
      1,
    ],
  ]);
});
