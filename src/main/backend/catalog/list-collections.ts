import { AppError } from '#shared/errors/app-error.ts';
import { readCollection, type StacCollection } from '#shared/stac/collection.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { nextRequest, requestKey, type PageRequest } from './next-request.ts';
import { describeJson, invalidResponse, type CatalogReader, type OnStatus } from './read-answer.ts';

/**
 * All collections in the server's order, pages followed. Members without an id are left out; a repeated request or a
 * page with nothing new ends the list.
 * @throws AppError `stac.not-an-api` when there is no such list, `stac.invalid-response`
 */
export async function listCollections(options: {
  reader: CatalogReader;
  url: string;
  signal?: AbortSignal | undefined;
}): Promise<StacCollection[]> {
  const { reader, url, signal } = options;
  const first: PageRequest = { url, method: 'GET', headers: {} };
  const found = new Map<string, StacCollection>();
  const asked = new Set<string>();
  let request: PageRequest | null = first;
  while (request !== null && !asked.has(requestKey(request))) {
    asked.add(requestKey(request));
    const answer: { json: unknown; url: string } = await reader.read({ ...request, signal }, noList);
    const countBefore = found.size;
    for (const collection of readPage(answer.json)) {
      if (!found.has(collection.id)) found.set(collection.id, collection);
    }
    if (found.size === countBefore) break;
    const links = isJsonObject(answer.json) ? answer.json['links'] : null;
    request = nextRequest(links, { first, previous: request, answerUrl: answer.url });
  }
  return [...found.values()];
}

function readPage(json: unknown): StacCollection[] {
  // Some old servers send the bare list.
  const members: unknown = isJsonObject(json) ? json['collections'] : json;
  if (!Array.isArray(members)) throw invalidResponse('a list of collections', describeJson(json));
  return members.map(readCollection).filter((collection) => collection !== null);
}

const noList: OnStatus = (error, status) =>
  status === 404
    ? new AppError('stac.not-an-api', 'The address has no list of collections', { details: error.details })
    : null;
