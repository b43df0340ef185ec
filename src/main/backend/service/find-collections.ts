import type { StacCollection } from '#shared/stac/collection.ts';
import { notFound } from './http-error.ts';
import type { ServiceContext } from './service-context.ts';

/**
 * All collections, in the catalog's order; for programs that expect all of STAC API those too of which only Items are
 * known, so that every address that an Item gives leads somewhere.
 */
export function allCollections(context: ServiceContext): StacCollection[] {
  const kept = context.library.collections()?.value ?? [];
  const { standard } = context;
  if (!standard) return kept;
  const unlisted = context.library.unlistedCollectionIds().map((id) => ({ id }));
  return [...kept, ...unlisted].map((collection) => standard.collection(collection));
}

/**
 * The collection of an id.
 * @throws HttpError 404
 */
export function findCollection(context: ServiceContext, collectionId: string): StacCollection {
  const found = allCollections(context).find(({ id }) => id === collectionId);
  if (!found) throw notFound(`Collection ${collectionId} does not exist`);
  return found;
}
