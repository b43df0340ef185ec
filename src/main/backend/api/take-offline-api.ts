import { parseSearchQuery } from '#shared/search/search-query.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { OfflineJob, TakenJob } from '#shared/offline/offline-job.ts';
import { estimateOffline } from '../offline/estimate-offline.ts';
import { countEvicted, findRecord } from '../offline/find-record.ts';
import type { ApiParts } from './api-parts.ts';
import { followChoice } from './follow-choice.ts';
import { toRunView } from './saved-api.ts';
import { streamLatest } from './stream-latest.ts';

/** Handlers of `takeOffline`. */
export function createTakeOfflineApi(parts: ApiParts): Handlers<typeof contract>['takeOffline'] {
  const { catalogs, takeOffline, folders, thumbnailsOf, ports } = parts;
  const countEvictedOf = ({ jobId, searchNumber }: OfflineJob): number => {
    try {
      return countEvicted(catalogs.current.library, {
        question: takeOffline.questionOf(jobId),
        searchNumber,
      });
    } catch {
      // A library that can't be read is told of elsewhere; the jobs are listed all the same.
      return 0;
    }
  };
  const listJobs = (): TakenJob[] =>
    takeOffline.list(catalogs.current.id).map((job) => ({ ...job, evictedCount: countEvictedOf(job) }));
  return {
    watch: (_input, emit, { signal }) =>
      streamLatest({
        read: () => ({ jobs: listJobs() }),
        onChange: (listener) => {
          const stops = [takeOffline.onChange(listener), followChoice(catalogs, listener)];
          return () => stops.forEach((stop) => stop());
        },
        emit,
        signal,
        intervalMs: 250,
      }),
    estimate: async ({ question }, { signal }) => {
      const source = catalogs.current;
      const thumbnails = thumbnailsOf(source.id);
      if (!thumbnails) throw new AppError('internal', 'The catalog in use is not open');
      const query = parseSearchQuery(question.query);
      const { items, ...estimate } = await estimateOffline(
        { ...question, query },
        { source, thumbnails, clock: ports.clock, signal },
      );
      return { ...estimate, sample: items.map(({ ref }) => ref) };
    },
    start: async ({ name, question, choice }) => {
      const connectionId = catalogs.current.id;
      const query = parseSearchQuery(question.query);
      const { assets } = choice;
      const checked = assets && {
        ...assets,
        destination: await folders.checkDestination(assets.destination),
      };
      const order = {
        connectionId,
        name,
        question: { ...question, query },
        choice: { ...choice, assets: checked },
      };
      return { jobId: takeOffline.start(order) };
    },
    question: async ({ jobId }) => {
      const question = takeOffline.questionOf(jobId);
      const { library } = catalogs.current;
      // A page that came just now may still be on its way into the library.
      await library.settle();
      const searchNumber = takeOffline.find(jobId)?.searchNumber ?? null;
      const record = findRecord(library, { question, searchNumber });
      return { question, run: record && toRunView(record) };
    },
    pause: ({ jobId }) => {
      takeOffline.pause(jobId);
      return {};
    },
    goOn: ({ jobId }) => {
      takeOffline.goOn(jobId);
      return {};
    },
    cancel: ({ jobId }) => {
      takeOffline.cancel(jobId);
      return {};
    },
    remove: ({ jobId }) => {
      takeOffline.remove(jobId);
      return {};
    },
    restore: ({ jobId }) => {
      takeOffline.restore(jobId);
      return {};
    },
  };
}
