import { setImmediate } from 'node:timers/promises';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import { offerLinks, type OfferedLinks } from './asset-links.ts';
import { selectFields, type FieldSelection } from './fields.ts';
import { catalogUrl, type ServiceContext } from './service-context.ts';

/** Media type of Items and of lists of them. */
export const geoJsonType = 'application/geo+json';

const ownRelations = ['self', 'parent', 'collection', 'root'];

/** How Items are to be answered. */
export interface ItemOptions {
  links: OfferedLinks;
  /** Null: the whole Item. */
  fields: FieldSelection | null;
  /** Whether size and checksum are filled in where the stored Item has none. */
  areFileFactsWanted: boolean;
}

/** An Item as this service answers it: what is stored, with its own links. */
export async function answerItem(
  context: ServiceContext,
  kept: IdentifiedItem,
  options: ItemOptions,
): Promise<JsonObject> {
  const identified = context.standard ? await context.standard.item(kept) : kept;
  const { ref, item } = identified;
  const assets = await offerLinks(context, identified, options);
  const answer = {
    ...item,
    collection: ref.collectionId,
    links: itemLinks(context, identified),
    ...(assets === undefined ? {} : { assets }),
  };
  return options.fields ? selectFields(answer, options.fields) : answer;
}

/** Many Items. Lets other requests in between, because signing a large page takes its time. */
export async function answerItems(
  context: ServiceContext,
  items: readonly IdentifiedItem[],
  options: ItemOptions,
): Promise<JsonObject[]> {
  const answers: JsonObject[] = [];
  for (const [index, item] of items.entries()) {
    if (index % 50 === 49) await setImmediate();
    answers.push(await answerItem(context, item, options));
  }
  return answers;
}

function itemLinks(context: ServiceContext, { ref, item }: IdentifiedItem): unknown[] {
  const stored: unknown[] = Array.isArray(item['links']) ? item['links'] : [];
  const parent = catalogUrl(context, 'collections', ref.collectionId);
  return [
    {
      rel: 'self',
      type: geoJsonType,
      href: catalogUrl(context, 'collections', ref.collectionId, 'items', ref.itemId),
    },
    { rel: 'parent', type: 'application/json', href: parent },
    { rel: 'collection', type: 'application/json', href: parent },
    { rel: 'root', type: 'application/json', href: context.baseUrl() },
    // What a link of another catalog says about where the Item lives isn't true here.
    ...stored.filter((link) => isJsonObject(link) && !ownRelations.includes(String(link['rel']))),
  ];
}
