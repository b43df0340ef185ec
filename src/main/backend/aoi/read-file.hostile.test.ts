import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { clockwise, kml, placemark, refusal } from './testing/area-files.ts';
import { makeShp, zipShapefile } from './testing/make-shapefile.ts';

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
