import { placeOrder } from '../place-order.ts';
import { openQueue } from '../queue-file.ts';

// An order in a process of its own, that is killed as soon as it says "queued".
const { filePath, itemCount } = JSON.parse(process.argv[2] ?? '{}') as {
  filePath: string;
  itemCount: number;
};
const { orders, answers, lazy } = openQueue(filePath);
const items = Array.from({ length: itemCount }, (_, index) => {
  const item = { id: `scene-${index}`, assets: { B04: { href: `https://data.example/${index}.tif` } } };
  return { ref: { collectionId: 's2', itemId: item.id }, item, wanted: ['B04'] };
});
await placeOrder(
  {
    orders,
    answers,
    lazy,
    clock: { now: () => 1_770_000_000_000 },
    loadItem: () => Promise.reject(new Error('Every item is here')),
  },
  {
    connectionId: 'test',
    destination: '/out',
    links: 'auto',
    title: 'Fields',
    origin: { kind: 'selection' },
    priority: 'normal',
    items,
    itemCount,
  },
);
process.stdout.write('queued');
setInterval(() => undefined, 1000);
