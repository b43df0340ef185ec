import { openNotebook } from '../notebook.ts';

// Marks items as seen slice by slice until it is killed, and says after each slice how many are done.
const [, , filePath = '', savedSearchId = ''] = process.argv;
const { savedSearches } = openNotebook({ filePath });
for (let start = 0; start < 1_000_000; start += 500) {
  const refs = Array.from({ length: 500 }, (_, index) => ({
    collectionId: 'c',
    itemId: `item-${start + index}`,
  }));
  savedSearches.addSeen(Number(savedSearchId), refs);
  process.stdout.write(`${start + 500}\n`);
}
