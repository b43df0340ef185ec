import type { JsonObject } from '#shared/stac/json.ts';

/** A program that reads a STAC API as pystac-client does: by the links and conformance classes of its landing page. */
export interface StacClient {
  root: JsonObject;
  /** The Items of a search, to the end of its next links. */
  search(method: 'GET' | 'POST', parameters: JsonObject): Promise<JsonObject[]>;
  collections(): Promise<JsonObject[]>;
  get(url: string, headers?: Record<string, string>): Promise<Response>;
}

interface Link extends JsonObject {
  rel: string;
  href: string;
  method?: string;
  body?: JsonObject;
  merge?: boolean;
}

/** Opens a catalog by its address alone. */
export async function openStacClient(url: string, headers: Record<string, string> = {}): Promise<StacClient> {
  const get = (href: string, more: Record<string, string> = {}) =>
    fetch(href, { headers: { ...headers, ...more } });
  const readJson = async (response: Response): Promise<JsonObject> => {
    if (response.status !== 200) throw new Error(`${String(response.status)} ${await response.text()}`);
    return (await response.json()) as JsonObject;
  };
  const post = async (href: string, body: JsonObject) =>
    readJson(
      await fetch(href, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  const root = await readJson(await get(url));
  const needConformance = (name: string): void => {
    const classes = root['conformsTo'] as string[];
    const pattern = new RegExp(`^https://api\\.stacspec\\.org/v1\\.0\\.(.*)${name}$`);
    if (!classes.some((one) => pattern.test(one))) throw new Error(`${name} is not supported`);
  };

  return {
    root,
    get,
    async collections() {
      needConformance('collections');
      const page = await readJson(await get(need(root, 'data').href));
      return page['collections'] as JsonObject[];
    },
    async search(method, parameters) {
      needConformance('item-search');
      const link = linksOf(root).find((one) => one.rel === 'search' && (one.method ?? 'GET') === method);
      if (!link) throw new Error(`no search by ${method}`);
      const query = new URLSearchParams(
        Object.entries(parameters).map(([name, value]): [string, string] => [name, toText(value)]),
      );
      let page =
        method === 'GET'
          ? await readJson(await get(`${link.href}?${query.toString()}`))
          : await post(link.href, parameters);
      const items = [...(page['features'] as JsonObject[])];
      for (;;) {
        const next = linksOf(page).find(({ rel }) => rel === 'next');
        if (!next) return items;
        page =
          next.method === 'POST'
            ? await post(next.href, { ...(next.merge ? parameters : {}), ...next.body })
            : await readJson(await get(next.href));
        items.push(...(page['features'] as JsonObject[]));
      }
    },
  };
}

/** The only link of a relation that a reader needs. */
export function need(record: JsonObject, rel: string): Link {
  const link = linksOf(record).find((one) => one.rel === rel);
  if (!link) throw new Error(`no link ${rel}`);
  return link;
}

function linksOf(record: JsonObject): Link[] {
  return record['links'] as Link[];
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
