import type { CatalogFact } from '#shared/search/catalog-facts.ts';
import { isCutByFields } from '#shared/search/is-cut-by-fields.ts';
import type { LocalFilter } from '#shared/search/local-filter.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { toSentQuery } from '#shared/search/sent-query.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { ItemPage } from '../../catalog/catalog-client.ts';
import { learnFromAnswer } from '../../catalog/learn-from-answer.ts';
import type { Connection } from '../../connection/connection.ts';
import type { Clock } from '../../ports.ts';
import type { AnswerSource } from './answer-source.ts';

const noPage: ItemPage = { items: [], skipped: [], matched: null };

/** The catalog's own answer to a question. Nothing is asked before the first page. */
export async function openCatalogSource(
  { query, localFilter }: { query: SearchQuery; localFilter: LocalFilter | null },
  parts: { connection: Connection; clock: Clock; learn: (facts: readonly CatalogFact[]) => void },
): Promise<AnswerSource> {
  const { connection, clock, learn } = parts;
  const { catalog } = await connection.access();
  const pages = catalog.search(toSentQuery(query, localFilter));
  const markPartial = (one: IdentifiedItem): IdentifiedItem =>
    query.fields && isCutByFields(one.item, query.fields) ? { ...one, isPartial: true } : one;
  return {
    origin: 'catalog',
    get hasMore() {
      return pages.hasMore;
    },
    get isIncomplete() {
      return pages.isIncomplete;
    },
    async next(signal) {
      // A page that was announced may turn out not to be there; then at least the record is known to be whole.
      const asking = connection.ask(() => pages.next({ signal }));
      const page = (await learnFromAnswer(query, asking, learn)) ?? noPage;
      const nowMs = clock.now();
      return { ...page, items: page.items.map(markPartial), newestMs: nowMs, oldestMs: nowMs };
    },
  };
}
