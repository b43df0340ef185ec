import { describe, expect, it } from 'vitest';
import { sniffPicture } from './sniff-picture.ts';

describe('pictures by their first bytes', () => {
  it.each([
    ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])],
    ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['image/gif', Buffer.from('GIF89a…')],
    ['image/webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1')],
  ])('knows %s', (mediaType, bytes) => {
    expect(sniffPicture(bytes)).toBe(mediaType);
  });

  it.each([
    '',
    '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
    '<!doctype html>',
    'RIFF\0\0\0\0WAVE',
    '{}',
    'II*\0',
  ])('takes nothing else for a picture: %j', (text) => {
    expect(sniffPicture(Buffer.from(text, 'latin1'))).toBeNull();
  });
});
