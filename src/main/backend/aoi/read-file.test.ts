import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { isAppError } from '#shared/errors/app-error.ts';
import type { AreaReading } from '#shared/geo/area-reading.ts';
import { areaKm2OfGeometry } from '#shared/geo/measure-area.ts';
import { readFile } from './read-file.ts';
import { makeShp, zipShapefile } from './testing/make-shapefile.ts';

const outline = [
  [4, 50],
  [5, 50],
  [5, 51],
  [4, 51],
  [4, 50],
] as const;
const hole = [
  [4.4, 50.4],
  [4.4, 50.6],
  [4.6, 50.6],
  [4.6, 50.4],
  [4.4, 50.4],
] as const;
const polygon = { type: 'Polygon', coordinates: [outline, hole] };
const kmOfPolygon = areaKm2OfGeometry({
  type: 'Polygon',
  coordinates: [outline, hole].map((ring) => ring.map((p) => [...p])),
});
const coordinatesOf = (ring: readonly (readonly [number, number])[]): string =>
  ring.map((p) => `${p.join()},0`).join(' ');
const placemark = `<Placemark><name>Côte</name><Polygon>
  <outerBoundaryIs><LinearRing><coordinates>${coordinatesOf(outline)}</coordinates></LinearRing></outerBoundaryIs>
  <innerBoundaryIs><LinearRing><coordinates>${coordinatesOf(hole)}</coordinates></LinearRing></innerBoundaryIs>
</Polygon></Placemark>`;
const kml = (content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>${content}</Document></kml>`;
const utm31 =
  'PROJCS["WGS_1984_UTM_Zone_31N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",3.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]';
const clockwise = [...outline].toReversed();

function read(content: string | Uint8Array, name = 'some file.dat'): AreaReading {
  const bytes = typeof content === 'string' ? strToU8(content) : content;
  const [reading] = readFile({ name, bytes }).readings;
  if (!reading) throw new Error('nothing was read');
  return reading;
}

function kmOf({ area }: AreaReading): number {
  return area.kind === 'shape' ? areaKm2OfGeometry(area.geometry) : NaN;
}

function refusal(content: string | Uint8Array): Record<string, unknown> {
  try {
    read(content);
  } catch (thrown) {
    if (isAppError(thrown)) return { code: thrown.code, ...thrown.details };
    throw thrown;
  }
  throw new Error('it was read');
}

describe('every kind of file', () => {
  const gpx = `<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Round</name><trkseg>${outline
    .map(([lon, lat]) => `<trkpt lat="${lat}" lon="${lon}"/>`)
    .join('')}</trkseg></trk></gpx>`;

  it.each([
    ['GeoJSON', JSON.stringify(polygon)],
    [
      'GeoJSON with a byte order mark',
      `\uFEFF${JSON.stringify({ type: 'Feature', properties: null, geometry: polygon })}`,
    ],
    ['KML', kml(placemark)],
    ['KML in folders', kml(`<Folder><Folder>${placemark}</Folder></Folder>`)],
    ['KMZ', zipSync({ 'doc.kml': strToU8(kml(placemark)), 'files/icon.png': new Uint8Array(9) })],
    [
      'WKT',
      `POLYGON ((${outline.map((p) => p.join(' ')).join()}), (${hole.map((p) => p.join(' ')).join()}))`,
    ],
    [
      'Shapefile',
      zipShapefile(makeShp([[clockwise, [...hole].toReversed()]]), {
        prj: 'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
      }),
    ],
    ['GeoJSON in a zip', zipSync({ 'a.geojson': strToU8(JSON.stringify(polygon)) })],
  ])('%s keeps its hole', (_kind, content) => {
    const reading = read(content);
    expect(kmOf(reading) / kmOfPolygon).toBeCloseTo(1, 6);
  });

  it('takes a closed track of GPX as an outline, and says so', () => {
    const reading = read(gpx);
    expect(reading.name).toBe('Round');
    expect(reading.notes.join()).toMatch(/taken as outlines/);
    expect(kmOf(reading)).toBeGreaterThan(7000);
  });

  it('takes the box around points and lines, and says so', () => {
    const { area, notes } = read('<gpx><wpt lat="50" lon="179"/><wpt lat="52" lon="-179"/></gpx>');
    expect(area).toEqual({ kind: 'box', bbox: [179, 50, -179, 52] });
    expect(notes.join()).toMatch(/no polygon/);
  });

  it('brings a projected Shapefile into degrees by its .prj', () => {
    const square = [
      [448000, 5411000],
      [448000, 5412000],
      [449000, 5412000],
      [449000, 5411000],
      [448000, 5411000],
    ] as const;
    const reading = read(zipShapefile(makeShp([[square]]), { prj: utm31, name: 'sub/Zone A' }));
    expect(reading.name).toBe('Zone A');
    expect(kmOf(reading)).toBeCloseTo(1, 1);
    expect(JSON.stringify(reading.area)).toContain('48.8');
    expect(refusal(zipShapefile(makeShp([[square]])))).toMatchObject({
      code: 'aoi.unreadable',
      why: /no .prj/,
    });
  });

  it('joins polygons that overlap, and leaves points out, saying both', () => {
    const other = { type: 'Polygon', coordinates: [outline.map(([x, y]) => [x + 0.5, y])] };
    const features = [polygon, other, { type: 'Point', coordinates: [4, 50] }].map((geometry) => ({
      type: 'Feature',
      geometry,
    }));
    const { notes, area, name } = read(
      JSON.stringify({ type: 'FeatureCollection', features }),
      'My fields.geojson',
    );
    expect(area).toMatchObject({ geometry: { type: 'Polygon' } });
    expect(notes.join(' ')).toMatch(/1 point or line left out.*joined/);
    expect(name).toBe('My fields');
  });

  it('is known by its content, whatever it is called and however it is written', () => {
    const utf16 = new Uint8Array(
      Buffer.from(`\uFEFF${kml(placemark).replace('UTF-8', 'UTF-16')}`, 'utf16le'),
    );
    expect(read(utf16, 'x.geojson').name).toBe('Côte');
    const latin = new Uint8Array(Buffer.from(kml(placemark).replace('UTF-8', 'ISO-8859-1'), 'latin1'));
    expect(read(latin, 'x.zip').name).toBe('Côte');
    const undeclared = new Uint8Array(Buffer.from(kml(placemark).replace(' encoding="UTF-8"', ''), 'latin1'));
    expect(read(undeclared).name).toBe('Côte');
  });

  it('reads entry names that are not UTF-8', () => {
    const zip = zipSync({ 'C_te.kml': strToU8(kml(placemark)) }, { level: 0 });
    const named = Uint8Array.from(zip, (byte) => (byte === 0x5f ? 0xf4 : byte));
    expect(kmOf(read(named))).toBeGreaterThan(7000);
  });
});

describe('a file that is not as it should be', () => {
  it.each([
    ['empty', new Uint8Array(0), /empty/],
    ['an image', new Uint8Array([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0]), /image/],
    ['a database', strToU8('SQLite format 3\0 and more'), /GeoPackage/],
    ['a .shp alone', makeShp([[clockwise]]), /coordinate system/],
    ['noise', new Uint8Array([1, 2, 3, 200, 255]), /none of the kinds/],
    ['HTML', '<html><body>Sign in</body></html>', /neither KML nor GPX/],
    ['cut KML', kml(placemark).slice(0, 300), /damaged/],
    [
      'KML of links alone',
      kml('<NetworkLink><Link><href>http://127.0.0.1/x</href></Link></NetworkLink>'),
      /links to a file elsewhere/,
    ],
    ['KML of nothing', kml(''), /no geometry/],
    ['a zip of nothing', zipSync({ 'readme.md': strToU8('x') }), /no \.shp and no \.kml/],
    ['a cut zip', zipSync({ 'doc.kml': strToU8(kml(placemark)) }).slice(0, 200), /damaged/],
    [
      'a zip in a zip',
      zipSync({ 'inner.zip': zipSync({ 'doc.kml': strToU8(kml(placemark)) }) }),
      /another archive/,
    ],
    [
      'a wrong .prj',
      zipShapefile(makeShp([[clockwise]]), { prj: 'PROJCS["nonsense"' }),
      /coordinate system can’t be read/,
    ],
    [
      'a Shapefile with NaN',
      zipShapefile(
        makeShp([
          [
            [
              [0, 0],
              [0, NaN],
              [1, 1],
              [0, 0],
            ],
          ],
        ]),
      ),
      /coordinates/,
    ],
    [
      'huge numbers',
      zipShapefile(
        makeShp([
          [
            [
              [0, 0],
              [1e300, 5],
              [1, 1e300],
              [0, 0],
            ],
          ],
        ]),
      ),
      /not degrees/,
    ],
    [
      'GeoJSON of another system',
      JSON.stringify({ ...polygon, crs: { properties: { name: 'urn:ogc:def:crs:EPSG::2154' } } }),
      /EPSG::2154/,
    ],
  ])('%s: says why and what to do', (_kind, content, why) => {
    const found = refusal(content);
    expect(found['code']).toBe('aoi.unreadable');
    expect(found['why']).toMatch(why);
    expect(found['mend']).toMatch(/\.$/);
  });

  it('names the line, the feature and the record', () => {
    expect(refusal(`<kml>\n<Document>\n</Folder></kml>`)['place']).toMatch(/Line [23]/);
    const features = [
      { type: 'Feature', geometry: polygon },
      { type: 'Feature', geometry: { type: 'Polygon', coordinates: 7 } },
    ];
    expect(refusal(JSON.stringify({ type: 'FeatureCollection', features }))['place']).toBe('Feature 2.');
    const shp = makeShp([[clockwise], [clockwise]]);
    expect(refusal(zipShapefile(shp.slice(0, -20)))['why']).toMatch(/record 2/);
  });
});

describe('what other programs write', () => {
  const ring = '5,46 6,46 6,47 5,46';
  const shape = (coordinates: string, hole = ''): string =>
    `<Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>${coordinates}</coordinates></LinearRing></outerBoundaryIs>${hole}</Polygon></Placemark>`;
  const triangle = {
    kind: 'shape',
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [5, 46],
          [6, 46],
          [6, 47],
          [5, 46],
        ],
      ],
    },
  };

  it('follows a link of KMZ to a file in the same archive, and to nothing else', () => {
    const link = (href: string): string => `<NetworkLink><Link><href>${href}</href></Link></NetworkLink>`;
    const entries = { 'layers/zone.kml': strToU8(kml(shape(ring))) };
    const doc = (href: string) => zipSync({ 'doc.kml': strToU8(kml(link(href))), ...entries });
    expect(read(doc('layers/zone.kml')).area).toEqual(triangle);
    expect(refusal(doc('http://example.com/zone.kml'))).toMatchObject({ why: /only links to a file/ });
    expect(refusal(doc('doc.kml'))).toMatchObject({ why: /only links to a file/ });
  });

  it('takes the frame of a picture only where nobody drew an area', () => {
    const overlay =
      '<GroundOverlay><LatLonBox><north>60</north><south>50</south><east>5</east><west>0</west></LatLonBox></GroundOverlay>';
    expect(read(kml(shape(ring) + overlay)).area).toEqual(triangle);
    expect(kmOf(read(kml(overlay)))).toBeGreaterThan(100_000);
  });

  it('knows KML by its names, whatever stands before them', () => {
    const prefixed = kml(shape(ring))
      .replaceAll(/<(?=[A-Za-z])/g, '<k:')
      .replaceAll('</', '</k:')
      .replace('xmlns=', 'xmlns:k=');
    expect(read(prefixed).area).toEqual(triangle);
  });

  it('leaves out no position, which would make another area', () => {
    expect(refusal(kml(shape('5,46 6,46 abc,46.5 6,47 5,46')))).toMatchObject({
      place: 'Line 1.',
      why: /abc/,
    });
    expect(refusal(kml(shape('5, 46, 0 6, 46, 0 6, 47, 0')))).toMatchObject({ mend: /spaces/ });
    const hole = `<innerBoundaryIs><LinearRing><coordinates>${ring}</coordinates></LinearRing></innerBoundaryIs>`;
    expect(refusal(kml(shape('', hole)))).toMatchObject({ why: /no outline/ });
    expect(refusal('<gpx><wpt lat="x" lon="2"/><wpt lat="1" lon="2"/></gpx>')).toMatchObject({
      why: /<wpt>/,
    });
    expect(refusal('<gpx><wpt lat="95" lon="2"/></gpx>')).toMatchObject({ why: /2, 95/ });
  });

  it('brings what the projection library takes for another projection to its place, or refuses it', () => {
    const [x, y] = [171_299.44, -1_957_961.57];
    const corners = [0, 1, 2, 0].map((n) => [x + (n % 2) * 10_000, y + (n === 2 ? 10_000 : 0)] as const);
    const geogcs = utm31.slice(utm31.indexOf('GEOGCS'), utm31.indexOf(',PROJECTION'));
    const polar = `PROJCS["NSIDC",${geogcs},PROJECTION["Stereographic_North_Pole"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-45.0],PARAMETER["Standard_Parallel_1",70.0],UNIT["Meter",1.0]]`;
    const { area } = read(zipShapefile(makeShp([[corners.toReversed()]]), { prj: polar }));
    const ring =
      area.kind === 'shape' && area.geometry.type === 'Polygon' ? (area.geometry.coordinates[0] ?? []) : [];
    const isThere = ([lon = NaN, lat = NaN]: number[]) => Math.abs(lon + 40) + Math.abs(lat - 72) < 1e-4;
    expect(ring.some(isThere)).toBe(true);
    const grads = utm31.replace('"Degree",0.0174532925199433', '"Grad",0.0157079632679489');
    expect(refusal(zipShapefile(makeShp([[corners]]), { prj: grads }))).toMatchObject({
      why: /coordinate system/,
    });
  });

  it('knows the names of WGS 84 and features without coordinates', () => {
    const plain = { type: 'Polygon', coordinates: triangle.geometry.coordinates };
    for (const name of ['http://www.opengis.net/def/crs/EPSG/0/4326', 'urn:ogc:def:crs:EPSG:6.6:4326']) {
      expect(read(JSON.stringify({ ...plain, crs: { type: 'name', properties: { name } } })).area).toEqual(
        triangle,
      );
    }
    const empty = { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [] } };
    const full = { type: 'Feature', properties: {}, geometry: plain };
    expect(read(JSON.stringify({ type: 'FeatureCollection', features: [empty, full] })).area).toEqual(
      triangle,
    );
  });

  it('reads WKT over several lines and with heights that nothing announces', () => {
    expect(read('POLYGON\n((5 46,\n  6 46,\n  6 47,\n  5 46))\n').area).toEqual(triangle);
    const { area } = read('SRID=4326;MULTIPOLYGON (((5 46 0,6 46 0,6 47 0,5 46 0)))');
    expect(kmOf({ area, words: '', name: null, notes: [] })).toBeGreaterThan(1000);
  });
});

describe('a hostile file', () => {
  it('is not unpacked beyond the limit, whatever it says of its size', () => {
    const bomb = zipSync({ 'doc.kml': new Uint8Array(30_000_000) });
    expect(bomb.length).toBeLessThan(100_000);
    const startMs = performance.now();
    expect(refusal(bomb)).toMatchObject({ code: 'aoi.too-large', why: expect.stringContaining('doc.kml') });
    const lying = Uint8Array.from(bomb);
    new DataView(lying.buffer).setUint32(22, 10, true);
    expect(refusal(lying)['code']).toBe('aoi.too-large');
    expect(performance.now() - startMs).toBeLessThan(5000);
  });

  it('may claim a million entries, or many', () => {
    const zip = zipSync({ 'doc.kml': strToU8(kml(placemark)) });
    const end = zip.length - 22;
    const claiming = Uint8Array.from(zip);
    new DataView(claiming.buffer).setUint16(end + 10, 0xffff, true);
    expect(refusal(claiming)['code']).toBe('aoi.too-large');
    new DataView(claiming.buffer).setUint16(end + 10, 400, true);
    expect(refusal(claiming)).toMatchObject({
      code: 'aoi.unreadable',
      why: expect.stringContaining('after 1 of 400'),
    });
    const many = zipSync(
      Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`${i}.txt`, new Uint8Array(1)])),
    );
    expect(refusal(many)['why']).toMatch(/501 files/);
  });

  it('finds its entities unread', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE kml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><kml>&b;</kml>`;
    expect(refusal(bomb)['why']).toMatch(/entities/);
    expect(
      refusal('<!DOCTYPE kml [ <!ENTITY x SYSTEM "file:///etc/passwd"> ]><kml>&x;</kml>')['why'],
    ).toMatch(/entities/);
  });

  it('has more parts than a parser has memory for', () => {
    for (const content of [
      `<kml>${'<Folder/>'.repeat(700_000)}</kml>`,
      `<kml ${Array.from({ length: 700_000 }, (_, n) => `a${String(n)}=""`).join(' ')}/>`,
      `{"features":[${'{},'.repeat(1_100_000)}{}]}`,
      `MULTIPOINT(${'1 2,'.repeat(500_000)}1 2)`,
      `POLYGON${' '.repeat(2_000_000)}x`,
    ]) {
      expect(refusal(content)).toHaveProperty('code');
    }
  });

  it('nests XML without end', () => {
    expect(refusal(kml('<Folder>'.repeat(5000)))['why']).toMatch(/levels/);
  });

  it('leads the Shapefile parser astray by no length', () => {
    const shp = makeShp([[clockwise]]);
    for (const length of [-8, 0, 1, 0x7fffffff]) {
      const wrong = Uint8Array.from(shp);
      new DataView(wrong.buffer).setInt32(104, length);
      expect(refusal(zipShapefile(wrong))['why']).toMatch(/record 1/);
    }
    const counting = Uint8Array.from(shp);
    new DataView(counting.buffer).setInt32(148, 0x7fffffff, true);
    expect(refusal(zipShapefile(counting))['code']).toBe('aoi.too-large');
    const pointing = Uint8Array.from(shp);
    new DataView(pointing.buffer).setInt32(144, 1_000_000, true);
    expect(refusal(zipShapefile(pointing))['code']).toBe('aoi.unreadable');
  });

  it('is too large before it is opened', () => {
    expect(refusal(new Uint8Array(20_000_001))['why']).toMatch(/21 MB; up to 20 MB/);
  });
});
