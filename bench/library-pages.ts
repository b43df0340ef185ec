import type { PagePosition, SearchEngine } from '../src/main/backend/library/library.ts';
import type { Bench } from './bench.ts';
import { pageQuestions, percentile } from './library-questions.ts';
import { openMillionLibrary } from './million-library.ts';

const kinds = ['small-aoi', 'continent', 'no-aoi', 'two-filters', 'by-cloud-cover', 'by-ids', 'deep'];
const limit = 100;
const pagesPerRound = 200;

/** The 95th percentile of pages of 100, against reading the Items of such a page by their ids. */
export const libraryPages: readonly Bench[] = kinds.map((kind) => ({
  name: `library-pages:${kind}`,
  unit: 'ms (p95)',
  target: { limit: 5 },
  async prepare() {
    const million = await openMillionLibrary();
    const { library } = million;
    const some = (await library.engine.search({}, { limit })).items.map(({ ref }) => ref);
    const ids = some.map(({ itemId }) => itemId);
    const deep = await findDeepPosition(library.engine);
    const ask = async (round: number) => {
      const question = pageQuestions(library, ids, round).find(({ name }) => name === kind);
      if (!question) throw new Error(`no question ${kind}`);
      await library.engine.search(question.query, { limit, after: question.isDeep ? deep : null });
    };
    // What a person looks at has been asked for before.
    await percentile(1, pagesPerRound, ask);
    return {
      rounds: 3,
      ours: () => percentile(0.95, pagesPerRound, ask),
      reference: () =>
        percentile(0.95, pagesPerRound, () => Promise.resolve(some.map((ref) => library.item(ref)))),
      close: () => million.close(),
    };
  },
}));

async function findDeepPosition(engine: SearchEngine): Promise<PagePosition | null> {
  const { next } = await engine.search({ datetime: '../2020-06-01T00:00:00Z' }, { limit });
  return next;
}
