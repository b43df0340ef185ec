import { openOfflineDesk } from './offline-desk.ts';

// Takes everything of a catalog offline until somebody kills it; says each time how much is noted.
const [, , folder = '', origin = ''] = process.argv;
const { takeOffline } = openOfflineDesk(folder, { origin });
takeOffline.onChange(() => {
  const [job] = takeOffline.list('test');
  process.stdout.write(`${String(job?.itemCount ?? 0)} ${job?.state ?? ''} ${job?.stage ?? ''}\n`);
});
takeOffline.start({
  connectionId: 'test',
  name: 'All',
  question: { query: { limit: 10 }, localFilter: null, maxItems: null },
  choice: { hasPictures: true, assets: null },
});
