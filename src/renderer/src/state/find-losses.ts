import { cloudCover } from './cloud-cover.ts';
import type { SearchDraft } from './search-draft.ts';

/** Chosen collections that lack a property which the question asks for: none of their items come back. */
export interface PropertyLoss {
  property: string;
  /** What asks for it. */
  by: 'condition' | 'cloud' | 'order';
  /** In the order of choice. */
  collectionIds: readonly string[];
  /** Whether that is every chosen collection, so that nothing at all would come back. */
  isAll: boolean;
}

/**
 * What the question costs (catalog-service.md §4.6, Query Extension, rule 3, and Sortby Extension): said before it is
 * asked. `lacks` tells whether a collection is known not to have a property.
 */
export function findLosses(
  { collectionIds, conditions, cloud, order }: SearchDraft,
  lacks: (collectionId: string, property: string) => boolean,
): PropertyLoss[] {
  const asked: { property: string; by: PropertyLoss['by'] }[] = conditions
    .filter(({ tests }) => Object.keys(tests).length > 0)
    .map(({ property }) => ({ property, by: 'condition' as const }));
  if (cloud.isLimited && !cloud.includesUnknown) asked.push({ property: cloudCover, by: 'cloud' });
  const isByCloud = order.some(({ field }) => field.replace(/^properties\./, '') === cloudCover);
  if (isByCloud) asked.push({ property: cloudCover, by: 'order' });
  return asked.flatMap(({ property, by }) => {
    const lost = collectionIds.filter((id) => lacks(id, property));
    return lost.length > 0
      ? [{ property, by, collectionIds: lost, isAll: lost.length === collectionIds.length }]
      : [];
  });
}

/** The parts of a question that change when nothing asks for a property any more. */
export function withoutProperty(
  { conditions, cloud, order }: SearchDraft,
  property: string,
): Pick<SearchDraft, 'conditions' | 'cloud' | 'order'> {
  return {
    conditions: conditions.filter((one) => one.property !== property),
    cloud: property === cloudCover ? { ...cloud, isLimited: false } : cloud,
    order: order.filter(({ field }) => field.replace(/^properties\./, '') !== property),
  };
}
