import type { DamagedPages } from './damaged-pages.ts';

const interiorTypes: readonly unknown[] = [0x02, 0x05];
const headerBytes = 12;

/** The pages of the table or index that begins at a page, as far as what leads to them can be read (fileformat2.html §1.6). */
export function findTreePages(pages: DamagedPages, rootPage: number): Set<number> {
  const found = new Set<number>();
  const left = [rootPage];
  for (let number = left.pop(); number !== undefined; number = left.pop()) {
    const page = found.has(number) ? null : pages.read(number);
    if (!page) continue;
    found.add(number);
    left.push(...readChildren(page, number));
  }
  return found;
}

function readChildren(page: Buffer, number: number): number[] {
  const start = number === 1 ? 100 : 0;
  if (!interiorTypes.includes(page[start])) return [];
  const firstCell = start + headerBytes;
  const cellCount = page.readUInt16BE(start + 3);
  if (firstCell + cellCount * 2 > page.length) return [];
  const cells = Array.from({ length: cellCount }, (_, index) => page.readUInt16BE(firstCell + index * 2));
  const children = cells.filter((at) => at + 4 <= page.length).map((at) => page.readUInt32BE(at));
  return [...children, page.readUInt32BE(start + 8)];
}
