import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NoticesState, type AppNotice } from './notices-state.svelte.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('leaves a message that somebody points at, and takes it away after that', () => {
  const notices = new NoticesState();
  let isAttended = true;
  notices.attend(() => isAttended);
  notices.show({ tone: 'info', text: '3 transfers cancelled' });
  vi.advanceTimersByTime(60_000);
  expect(notices.all).toHaveLength(1);
  isAttended = false;
  vi.advanceTimersByTime(60_000);
  expect(notices.all).toHaveLength(0);
});

it('shows the same trouble once, and how often it came', () => {
  const notices = new NoticesState();
  const lost = { tone: 'bad', text: 'The catalog can’t be reached', hint: 'Check the network.' } as const;
  for (let times = 0; times < 3; times += 1) notices.show(lost);
  notices.show({ ...lost, hint: 'Check the address.' });
  expect(notices.all.map(({ hint, count }) => [hint, count])).toEqual([
    ['Check the network.', 3],
    ['Check the address.', 1],
  ]);

  // What was read and comes again is news.
  notices.dismiss(notices.all[0]?.noticeId ?? 0);
  notices.show(lost);
  expect(notices.all.map(({ count }) => count)).toEqual([1, 1]);
});

it('takes older news of the same away', () => {
  const notices = new NoticesState();
  const say = (text: string) => notices.show({ tone: 'bad', text, topic: 'order 1' });
  notices.show({ tone: 'bad', text: 'Radar: 2 files failed', topic: 'order 2' });
  say('Fields: 3 files failed');
  say('Fields: 1 file failed');
  expect(notices.all.map(({ text }) => text)).toEqual(['Radar: 2 files failed', 'Fields: 1 file failed']);
  notices.dismissTopic('order 1');
  expect(notices.all.map(({ text }) => text)).toEqual(['Radar: 2 files failed']);
});

it('offers to undo for as long as that can be done', () => {
  const notices = new NoticesState();
  notices.show({ tone: 'info', text: '3 transfers cancelled', lifetimeMs: 30_000 });
  vi.advanceTimersByTime(29_000);
  expect(notices.all).toHaveLength(1);
  vi.advanceTimersByTime(1000);
  expect(notices.all).toHaveLength(0);
});

it('keeps what can be undone only there before others', () => {
  const notices = new NoticesState();
  const say = (text: string, action: AppNotice['action'] = null) =>
    notices.show({ tone: 'info', text, action });
  say('cancelled', { label: 'Undo', run: () => undefined });
  for (const text of ['one', 'two', 'three']) say(text);
  expect(notices.all.map(({ text }) => text)).toEqual(['cancelled', 'two', 'three']);
});
