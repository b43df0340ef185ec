import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parseSearchQuery, type SearchQuery } from '../search-query.ts';
import { parseFields, parseSortby } from '../wire.ts';
import type { SearchRequest } from './search-request.ts';
import { toCurl } from './to-curl.ts';
import { toPython } from './to-python.ts';
import { toSwathCommand } from './to-swath-command.ts';

const nasty = `it's "quoted" \`id\` $HOME \\ \n ü %s !`;

const full: SearchQuery = {
  collections: ['sentinel-2-l2a', 'earth:carbon:v2.1'],
  ids: [nasty.replace('\n', ' ')],
  datetime: '2026-05-01T00:00:00Z..',
  intersects: {
    type: 'Polygon',
    coordinates: [
      [
        [-4, 46],
        [6, 46],
        [6, 48],
        [-4, 46],
      ],
    ],
  },
  query: {
    [nasty]: { eq: nasty },
    'eda:mask': { eq: true },
    gone: { eq: null },
    'eo:cloud_cover': { lt: 1e-7 },
  },
  sortby: [{ field: 'properties.eo:cloud_cover', direction: 'desc' }],
  fields: { include: ['id', 'assets.B02.jp2'], exclude: ['links'] },
  limit: 100,
};

function request(change: Partial<SearchRequest> = {}): SearchRequest {
  return {
    query: full,
    localFilter: null,
    maxItems: 1000,
    baseUrl: 'https://api.example.com/platform/v1/stac',
    needsToken: true,
    ...change,
  };
}

// A real shell reads the line; a function stands in for the program and writes down what it was given.
function runInShell(name: string, code: string): { args: string[]; input: string } {
  const program = `${name}() { for word; do printf '%s\\0' "$word"; done; printf '\\1'; cat; }`;
  const output = execFileSync('sh', ['-c', `${program}\n${code}`], {
    env: { ...process.env, SWATH_TOKEN: 'secret', HOME: '/elsewhere' },
    input: '',
    encoding: 'utf8',
  });
  const [words = '', input = ''] = output.split('\u0001');
  return { args: words.split('\0').slice(0, -1), input };
}

describe('curl', () => {
  it('sends the request as it is, whatever characters are in it', () => {
    const { args } = runInShell('curl', toCurl(request()));
    expect(JSON.parse(args.at(-1) ?? '')).toEqual(full);
    expect(args).toContain('https://api.example.com/platform/v1/stac/search');
    expect(args).toContain('Authorization: Bearer secret');
  });

  it('asks for a token only where one is needed, and never holds it', () => {
    expect(toCurl(request())).toContain('$SWATH_TOKEN');
    expect(toCurl(request({ needsToken: false }))).not.toContain('Authorization');
  });
});

describe('swath command', () => {
  function optionsOf(args: readonly string[]): Map<string, string> {
    const options = args
      .filter((word) => word.startsWith('--'))
      .map((word) => word.slice(2).split('=', 1)[0] ?? '');
    return new Map(
      options.map((name) => {
        const word = args.find((one) => one === `--${name}` || one.startsWith(`--${name}=`)) ?? '';
        return [name, word.slice(name.length + 3)];
      }),
    );
  }

  it('carries the whole question, the area through standard input', () => {
    const { args, input } = runInShell('swath', toSwathCommand(request()) ?? '');
    const options = optionsOf(args);
    expect(args[0]).toBe('search');
    expect(JSON.parse(input)).toEqual(full.intersects);
    expect({
      collections: options.get('collections')?.split(','),
      ids: options.get('ids')?.split(','),
      datetime: options.get('datetime'),
      query: JSON.parse(options.get('query') ?? '') as unknown,
      sortby: parseSortby(options.get('sortby') ?? ''),
      fields: parseFields(options.get('fields') ?? ''),
      limit: Number(options.get('limit')),
      intersects: JSON.parse(input) as unknown,
    }).toEqual(full);
    expect(options.get('max-items')).toBe('1000');
    expect(options.get('base-url')).toBe('https://api.example.com/platform/v1/stac');
  });

  it('writes a negative number so that it is no option', () => {
    const query = { bbox: [-5, 41, 10, 51] as [number, number, number, number] };
    expect(toSwathCommand(request({ query, maxItems: null }))).toContain('--bbox=-5,41,10,51');
  });

  it('names no address for the demo catalog', () => {
    expect(toSwathCommand({ ...request(), baseUrl: null })).not.toContain('--base-url');
  });

  it('leaves the limit that is applied here to the command', () => {
    const command = toSwathCommand(request({ query: {}, localFilter: { cloudCoverBelow: 20 } })) ?? '';
    const options = optionsOf(runInShell('swath', command).args);
    expect(JSON.parse(options.get('query') ?? '')).toEqual({ 'eo:cloud_cover': { lt: 20 } });
    expect(options.has('include-unknown-cloud')).toBe(true);
  });

  it('says that two limits of cloud cover can’t be told apart there', () => {
    const query = { query: { 'eo:cloud_cover': { gt: 5 } } };
    expect(toSwathCommand(request({ query, localFilter: { cloudCoverBelow: 20 } }))).toBeNull();
  });

  it.each<[string, SearchQuery]>([
    ['an id with a comma', { ids: ['a,b'] }],
    ['an empty include list', { fields: { include: [], exclude: ['links'] } }],
    ['a field that begins with a sign', { sortby: [{ field: '-a', direction: 'asc' }] }],
  ])('says that %s can’t be written as options', (_name, query) => {
    expect(toSwathCommand(request({ query }))).toBeNull();
  });
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

// Stands in for the package, with the parameters that it takes, and writes down what it was given.
const pystacClient = `
import json, os, sys, types
os.environ["SWATH_TOKEN"] = "secret"
class Search:
    def items_as_dicts(self):
        return iter([{"id": "a", "properties": {"eo:cloud_cover": None}}, {"id": "b", "properties": {"eo:cloud_cover": 25}},
                     {"id": "c", "properties": {}}, {"id": "d", "properties": {"eo:cloud_cover": 1}}])
class Client:
    @classmethod
    def open(cls, url, headers=None):
        given["open"] = [url, headers]
        return cls()
    def add_conforms_to(self, name):
        pass
    def search(self, *, method="POST", max_items=None, limit=None, ids=None, collections=None, bbox=None,
               intersects=None, datetime=None, query=None, sortby=None, fields=None):
        given["search"] = {name: value for name, value in locals().items() if name != "self" and value is not None}
        return Search()
given = {}
module = types.ModuleType("pystac_client")
module.Client = Client
sys.modules["pystac_client"] = module
exec(sys.stdin.read())
print(json.dumps(given))
`;

describe.skipIf(!hasPython)('Python', () => {
  function run(code: string): { given: { open: unknown; search: unknown }; ids: string[] } {
    const lines = execFileSync('python3', ['-c', pystacClient], { input: code, encoding: 'utf8' })
      .trim()
      .split('\n');
    return { given: JSON.parse(lines.at(-1) ?? '') as never, ids: lines.slice(0, -1) };
  }

  it('gives pystac-client the whole question', () => {
    const { given } = run(toPython(request()));
    expect(given.open).toEqual([
      'https://api.example.com/platform/v1/stac',
      { Authorization: 'Bearer secret' },
    ]);
    expect(given.search).toEqual({
      ...full,
      datetime: '2026-05-01T00:00:00Z/..',
      method: 'POST',
      max_items: 1000,
    });
    expect(parseSearchQuery({ ...full, datetime: '2026-05-01T00:00:00Z/..' })).toBeTruthy();
  });

  it.each([
    ['2026-05-01T00:00:00Z..', '2026-05-01T00:00:00Z/..'],
    ['..2026-05-01T00:00:00Z', '../2026-05-01T00:00:00Z'],
    ['2026-05-01T00:00:00Z', '2026-05-01T00:00:00Z'],
    ['2026-05-01T00:00:00Z/2026-05-02T00:00:00Z', '2026-05-01T00:00:00Z/2026-05-02T00:00:00Z'],
  ])('writes the time %s as %s', (datetime, expected) => {
    expect(run(toPython(request({ query: { datetime } }))).given.search).toMatchObject({
      datetime: expected,
    });
  });

  it('keeps items of unknown cloud cover where they are wanted, and counts the maximum after that', () => {
    const code = toPython(request({ query: {}, localFilter: { cloudCoverBelow: 20 }, maxItems: 2 }));
    expect(run(code).ids).toEqual(['a', 'c']);
    const all = toPython(request({ query: {}, localFilter: { cloudCoverBelow: 20 }, maxItems: null }));
    expect(run(all).ids).toEqual(['a', 'c', 'd']);
  });
});
