import { silentLogger, systemClock } from '../../../ports.ts';
import { LibraryKeeper } from '../library-keeper.ts';
import { anItem, itemsOf } from './make-items.ts';

// Works with a library where files can't grow any more, and tells how it went.
const filePath = process.argv[2] ?? '';
const keeper = new LibraryKeeper({ filePath, clock: systemClock, logger: silentLogger });
let failedPages = 0;
for (let page = 1; page <= 40; page += 1) {
  await keeper.library.takeIn({
    items: itemsOf({ collectionId: `c${String(page)}`, from: 0, count: 250, fetchedAtMs: 0 }),
    fetchedAtMs: page,
    onKept: () => undefined,
    onFailure: () => (failedPages += 1),
  });
}
const { writeProblem } = keeper.status;
const first = keeper.library.item(anItem('c1', 3).ref)?.value.item.id;
await keeper.close();
process.stdout.write(JSON.stringify({ failedPages, code: writeProblem?.code, first }));
