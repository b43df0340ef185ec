import type { ErrorCode } from '../errors/error-codes.ts';
import type { OrderNews } from './order-tracker.ts';

/** News of an order for a notification or a message. */
export interface NewsWords {
  title: string;
  body: string;
  tone: 'ok' | 'bad';
}

type EndNews = OrderNews & { kind: 'ended' };

const stuckWords: Partial<Record<ErrorCode, Omit<NewsWords, 'tone'>>> = {
  'transfer.disk-full': {
    title: 'Downloads wait for space',
    body: 'The disk is full. Free space, and they go on by themselves.',
  },
  'transfer.destination-missing': {
    title: 'Downloads wait for their folder',
    body: 'It is not there. Connect its disk or share, and they go on by themselves.',
  },
  'transfer.destination-not-writable': {
    title: 'Downloads wait for their folder',
    body: 'Swath may not write into it. Change its permissions.',
  },
  'link.credentials': {
    title: 'Downloads wait for your AWS credentials',
    body: 'They can’t be used. Set them up as for the AWS command line.',
  },
};

const signIn = {
  title: 'Downloads wait for you to sign in',
  body: 'The catalog refuses the token or login that it was given. Enter a valid one in Settings, and they go on by themselves.',
};

/** What is told of an order; `title` is the order's. */
export function describeNews(news: OrderNews, title: string): NewsWords {
  if (news.kind === 'stuck') return { ...(stuckWords[news.code] ?? signIn), tone: 'bad' };
  const { doneCount, verifiedCount, lostCount, failedCount, pausedCount, cancelledCount } = news;
  const unverified = doneCount - verifiedCount - lostCount;
  const body = [
    verifiedCount > 0 ? `${countFiles(verifiedCount)} done and verified` : null,
    unverified > 0 ? `${countFiles(unverified)} done, not verifiable` : null,
    lostCount > 0 ? `${countFiles(lostCount)} missing or changed since` : null,
    failedCount > 0 ? `${countFiles(failedCount)} failed` : null,
    pausedCount > 0 ? `${countFiles(pausedCount)} paused` : null,
    cancelledCount > 0 ? `${countFiles(cancelledCount)} cancelled` : null,
  ].filter((part) => part !== null);
  return {
    title: nameEnd(news, title),
    body: `${body.join(', ')}.`,
    tone: failedCount + lostCount > 0 ? 'bad' : 'ok',
  };
}

function nameEnd({ doneCount, lostCount, failedCount, cancelledCount }: EndNews, title: string): string {
  if (failedCount > 0) return `${title}: ${countFiles(failedCount)} failed`;
  if (lostCount > 0) return `${title}: ${countFiles(lostCount)} missing or changed`;
  return cancelledCount > 0 ? `${title}: ${countFiles(doneCount)} here` : `${title} is here`;
}

function countFiles(count: number): string {
  return count === 1 ? '1 file' : `${new Intl.NumberFormat('en').format(count)} files`;
}
