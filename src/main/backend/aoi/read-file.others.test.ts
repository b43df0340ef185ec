import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { kml, kmOf, read, refusal, utm31 } from './testing/area-files.ts';
import { makeShp, zipShapefile } from './testing/make-shapefile.ts';

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
