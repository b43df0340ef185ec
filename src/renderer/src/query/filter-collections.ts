/** What of a collection a typed word may match. */
export interface FilterableCollection {
  id: string;
  title: string;
  description: string;
  keywords: readonly string[];
}

/** Collections in which every typed word occurs; those that have all words in title or id come first. */
export function filterCollections<C extends FilterableCollection>(
  collections: readonly C[],
  typed: string,
): C[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const named: C[] = [];
  const described: C[] = [];
  for (const collection of collections) {
    const name = `${collection.title} ${collection.id}`.toLowerCase();
    const all = `${name} ${collection.description} ${collection.keywords.join(' ')}`.toLowerCase();
    if (words.every((word) => name.includes(word))) named.push(collection);
    else if (words.every((word) => all.includes(word))) described.push(collection);
  }
  return [...named, ...described];
}
