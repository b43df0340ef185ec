import { describe, expect, it } from 'vitest';
import { clashKey, numberName, toSafeFolderName, toSafeName } from './safe-names.ts';

describe('toSafeName', () => {
  it.each([
    ['B04.tif', 'B04.tif'],
    ['../../etc/passwd', '.._.._etc_passwd'.replace(/^\./, '_')],
    ['..', 'unnamed'],
    ['.', 'unnamed'],
    ['', 'unnamed'],
    [' . ', 'unnamed'],
    ['/etc/passwd', '_etc_passwd'],
    ['C:\\Windows\\x.dll', 'C__Windows_x.dll'],
    ['a\0b.tif', 'a_b.tif'],
    ['a\r\nb', 'a__b'],
    ['<>:"/\\|?*', '_________'],
    ['CON', '_CON'],
    ['con.tif', '_con.tif'],
    ['COM1.tar.gz', '_COM1.tar.gz'],
    ['lpt¹', '_lpt¹'],
    ['console.tif', 'console.tif'],
    ['nul .tif', '_nul .tif'],
    ['name. . .', 'name'],
    ['  name', 'name'],
    ['.hidden', '_hidden'],
    ['photo\u202Egpj.exe', 'photogpj.exe'],
    ['\u200Ba\uFEFF', 'a'],
    ['e\u0301t\u00e9.tif', 'été.tif'],
    ['50%#1.tif', '50__1.tif'],
    ['\uD800x', '\uFFFDx'],
    ['image 🛰.tif', 'image 🛰.tif'],
  ])('makes %j into %j', (name, safe) => {
    expect(toSafeName(name)).toBe(safe);
  });

  it.each([
    ['a'.repeat(300) + '.tif', '.tif'],
    ['é'.repeat(300) + '.tar.gz', '.tar.gz'],
    ['🛰'.repeat(300) + '.jp2', '.jp2'],
    ['x'.repeat(300) + '.' + 'y'.repeat(100), ''],
    [`${'a'.repeat(250)}   .${'b'.repeat(10)}`, '.bbbbbbbbbb'],
  ])('shortens a long name to 255 bytes and keeps its extension', (name, extension) => {
    const safe = toSafeName(name);
    expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(safe)).toBeGreaterThan(240);
    expect(safe.endsWith(extension)).toBe(true);
    expect(safe.isWellFormed()).toBe(true);
  });

  it('changes nothing in a name that is already safe', () => {
    for (const name of ['../x', 'CON', 'a?b', '.x', 'é'.repeat(300)]) {
      expect(toSafeName(toSafeName(name))).toBe(toSafeName(name));
    }
  });
});

describe('names that meet', () => {
  it('keeps ids apart that make the same safe name', () => {
    expect(toSafeFolderName('S2/A')).not.toBe(toSafeFolderName('S2\\A'));
    expect(toSafeFolderName('S2_A')).toBe('S2_A');
  });

  it('knows names that one file system or another takes for the same', () => {
    expect(clashKey('B04.tif')).toBe(clashKey('b04.TIF'));
    expect(clashKey('é.tif')).toBe(clashKey('e\u0301.tif'));
    expect(clashKey('B04.tif')).not.toBe(clashKey('B05.tif'));
  });

  it('numbers copies before the extension, within the length', () => {
    expect(numberName('B04.tif', 1)).toBe('B04.tif');
    expect(numberName('B04.tif', 2)).toBe('B04 (2).tif');
    expect(numberName('scene.tar.gz', 3)).toBe('scene (3).tar.gz');
    expect(numberName('README', 2)).toBe('README (2)');
    expect(Buffer.byteLength(numberName('é'.repeat(125) + '.tif', 12))).toBeLessThanOrEqual(255);
  });
});
