/** The media type of a picture by its first bytes, or null when it is none that a window may show. SVG is code: never. */
export function sniffPicture(bytes: Buffer): string | null {
  if (bytes.subarray(0, 8).equals(pngSignature)) return 'image/png';
  if (bytes.subarray(0, 3).equals(jpegSignature)) return 'image/jpeg';
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return 'image/gif';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'image/webp' : null;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegSignature = Buffer.from([0xff, 0xd8, 0xff]);
