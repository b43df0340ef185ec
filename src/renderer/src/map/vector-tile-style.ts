/** Colours of vector tiles, as the canvas takes them. */
export interface VectorTileColours {
  sea: string;
  land: string;
  green: string;
  built: string;
  building: string;
  road: string;
  roadEdge: string;
  line: string;
  river: string;
}

/** How features of some layers are drawn. */
export interface TileRule {
  /** Names of layers, in any of the schemes. */
  layers: readonly string[];
  geometry: 'polygon' | 'line';
  /** Kinds of feature; left out for all. */
  kinds?: readonly string[];
  minZoom?: number;
  colour: keyof VectorTileColours;
  /** Pixels at a zoom; left out for areas. */
  widthPx?: (zoom: number) => number;
  dash?: readonly number[];
}

const grown = (fromZoom: number, fromPx: number, factor: number) => (zoom: number) =>
  Math.min(14, fromPx * factor ** Math.max(0, zoom - fromZoom));

const motorways = ['highway', 'motorway', 'trunk'];
const greatRoads = ['major_road', 'primary', 'secondary'];
const roads = ['medium_road', 'tertiary'];
const streets = ['minor_road', 'minor', 'service', 'residential', 'unclassified'];
const roadLayers = ['roads', 'transportation'];

/**
 * What is drawn of the two usual schemes, lowest first: Protomaps basemaps (layers earth, roads, boundaries, …) and
 * OpenMapTiles (transportation, boundary, …). Labels are not: the map has names of its own.
 */
export const tileRules: readonly TileRule[] = [
  { layers: ['earth'], geometry: 'polygon', colour: 'land' },
  {
    layers: ['landcover', 'landuse', 'park', 'natural'],
    geometry: 'polygon',
    kinds: [
      ...[
        'wood',
        'forest',
        'grass',
        'grassland',
        'park',
        'national_park',
        'nature_reserve',
        'protected_area',
      ],
      ...[
        'scrub',
        'meadow',
        'golf_course',
        'cemetery',
        'pitch',
        'garden',
        'recreation_ground',
        'village_green',
      ],
    ],
    colour: 'green',
  },
  {
    layers: ['landcover', 'landuse'],
    geometry: 'polygon',
    kinds: ['residential', 'urban_area', 'commercial', 'industrial', 'retail', 'suburb', 'neighbourhood'],
    colour: 'built',
  },
  { layers: ['water'], geometry: 'polygon', colour: 'sea' },
  {
    layers: ['water', 'waterway', 'physical_line'],
    geometry: 'line',
    colour: 'river',
    widthPx: grown(8, 0.8, 1.2),
  },
  { layers: ['buildings', 'building'], geometry: 'polygon', minZoom: 13, colour: 'building' },
  {
    layers: roadLayers,
    geometry: 'line',
    kinds: ['rail'],
    minZoom: 10,
    colour: 'line',
    widthPx: () => 0.8,
    dash: [5, 3],
  },
  {
    layers: roadLayers,
    geometry: 'line',
    kinds: ['path', 'track'],
    minZoom: 14,
    colour: 'roadEdge',
    widthPx: () => 0.8,
    dash: [3, 3],
  },
  ...roadRules(streets, 12, grown(12, 0.8, 1.5)),
  ...roadRules(roads, 10, grown(10, 0.8, 1.45)),
  ...roadRules(greatRoads, 8, grown(8, 0.9, 1.35)),
  ...roadRules(motorways, 5, grown(6, 1, 1.3)),
  {
    layers: ['boundaries', 'boundary'],
    geometry: 'line',
    kinds: ['region', '4'],
    minZoom: 5,
    colour: 'line',
    widthPx: () => 0.6,
    dash: [2, 3],
  },
  {
    layers: ['boundaries', 'boundary'],
    geometry: 'line',
    kinds: ['country', '2'],
    colour: 'line',
    widthPx: () => 1,
    dash: [4, 3],
  },
];

/** Of tiles in no scheme that is known: every area and line, so that a person sees that there is something. */
export const plainRules: readonly TileRule[] = [
  { layers: [], geometry: 'polygon', colour: 'built' },
  { layers: [], geometry: 'polygon', colour: 'line', widthPx: () => 0.8 },
  { layers: [], geometry: 'line', colour: 'line', widthPx: () => 1 },
];

function roadRules(kinds: readonly string[], minZoom: number, widthPx: (zoom: number) => number): TileRule[] {
  const common = { layers: roadLayers, geometry: 'line', kinds, minZoom } as const;
  return [
    { ...common, colour: 'roadEdge', widthPx: (zoom) => widthPx(zoom) + 1.6 },
    { ...common, colour: 'road', widthPx },
  ];
}

/** What kind of thing a feature is, by the names that the schemes have for it. */
export function kindOf(properties: Readonly<Record<string, unknown>>): string {
  const kind =
    properties['kind'] ?? properties['pmap:kind'] ?? properties['class'] ?? properties['admin_level'] ?? '';
  return typeof kind === 'string' || typeof kind === 'number' ? String(kind) : '';
}
