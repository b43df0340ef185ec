import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import {
  clockwise,
  hole,
  kml,
  kmOf,
  kmOfPolygon,
  outline,
  placemark,
  polygon,
  read,
  refusal,
  utm31,
} from './testing/area-files.ts';
import { makeShp, zipShapefile } from './testing/make-shapefile.ts';

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
