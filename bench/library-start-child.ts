import { boundHeaps } from '../src/main/host/bound-heaps.ts';
import { openLibrary } from '../src/main/backend/library/open-library.ts';
import { pageQuestions, queryablesIn } from './library-questions.ts';

boundHeaps();
const [filePath = '', option] = process.argv.slice(2);
const library = openLibrary({ filePath });
const page = await library.engine.search({}, { limit: 100 });
// Since the process began.
const readyMs = performance.now();
if (option === '--all') {
  const ids = page.items.map(({ ref }) => ref.itemId);
  for (let round = 0; round < 5; round++) {
    for (const { query } of pageQuestions(library, ids, round))
      await library.engine.search(query, { limit: 100 });
  }
  for (const { name } of queryablesIn(library)) {
    await library.engine
      .count({ query: { [name]: { eq: 'nothing' } } }, { maxCandidates: 1000 })
      .catch(() => 0);
    await library.engine.count({ query: { [name]: { lt: 5 } } }, { maxCandidates: 1000 }).catch(() => 0);
  }
}
console.log(JSON.stringify({ readyMs, rssBytes: process.memoryUsage.rss() }));
await library.close();
