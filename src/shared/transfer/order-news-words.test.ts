import { expect, it } from 'vitest';
import { describeNews } from './order-news-words.ts';

const ended = {
  kind: 'ended',
  downloadId: 1,
  doneCount: 0,
  verifiedCount: 0,
  lostCount: 0,
  failedCount: 0,
  pausedCount: 0,
  cancelledCount: 0,
} as const;

it('says what became of an order, honestly', () => {
  expect(describeNews({ ...ended, doneCount: 1240, verifiedCount: 1238 }, 'Fields')).toEqual({
    title: 'Fields is here',
    body: '1,238 files done and verified, 2 files done, not verifiable.',
    tone: 'ok',
  });
  expect(describeNews({ ...ended, doneCount: 1, verifiedCount: 1, failedCount: 1 }, 'Fields')).toEqual({
    title: 'Fields: 1 file failed',
    body: '1 file done and verified, 1 file failed.',
    tone: 'bad',
  });
  expect(describeNews({ ...ended, doneCount: 67, verifiedCount: 67, cancelledCount: 933 }, 'Fields')).toEqual(
    {
      title: 'Fields: 67 files here',
      body: '67 files done and verified, 933 files cancelled.',
      tone: 'ok',
    },
  );
});

it('takes no file that is missing or changed for verified', () => {
  const news = { ...ended, doneCount: 5, verifiedCount: 3, lostCount: 2, failedCount: 1 };
  expect(describeNews(news, 'Fields').body).toBe(
    '3 files done and verified, 2 files missing or changed since, 1 file failed.',
  );
  expect(describeNews({ ...news, failedCount: 0 }, 'Fields')).toMatchObject({
    title: 'Fields: 2 files missing or changed',
    tone: 'bad',
  });
});

it('says what a person has to do', () => {
  expect(describeNews({ kind: 'stuck', code: 'transfer.disk-full', downloadId: 1 }, 'Fields').title).toBe(
    'Downloads wait for space',
  );
  expect(describeNews({ kind: 'stuck', code: 'auth.required', downloadId: 1 }, 'Fields').body).toContain(
    'Settings',
  );
});
