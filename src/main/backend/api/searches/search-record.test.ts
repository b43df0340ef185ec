import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openLibrary } from '../../library/open-library.ts';
import { makeFolder } from '../../library/upkeep/testing/fill-library.ts';
import { anItem } from '../../library/upkeep/testing/make-items.ts';
import { SearchRecord } from './search-record.ts';

it('begins anew, and says that it has a gap, when its record is gone and the number is another one’s', async () => {
  const library = openLibrary({ filePath: join(makeFolder(), 'library.sqlite') });
  onTestFinished(() => library.close());
  const page = { leftOutCount: 0, matched: null, hasGap: false };
  const asked = { query: { collections: ['c'] }, localFilter: null };
  const record = new SearchRecord(library, asked, (thrown) => {
    throw thrown;
  });
  await record.keep({ ...page, items: [anItem('c', 1)], fetchedAtMs: 1, isLast: false });
  await library.upkeep.forgetSearches({ beforeMs: 2, keptQueryKeys: [] });
  const other = { query: { collections: ['d'] }, localFilter: null, items: [], leftOutCount: 0, matched: 0 };
  const number = await library.saveSearch({ ...other, isComplete: false }, 3);

  await record.keep({ ...page, items: [anItem('c', 2)], fetchedAtMs: 4, isLast: true });
  expect(library.pastSearch(number)).toMatchObject({ query: other.query, count: 0, isComplete: false });
  expect(library.pastSearches({ limit: 5 })).toMatchObject([
    { ...asked, count: 1, isComplete: false },
    { query: other.query },
  ]);
});
