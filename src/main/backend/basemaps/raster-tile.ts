import { sniffPicture } from '../thumbnails/sniff-picture.ts';
import { readPictureSize } from './picture-size.ts';
import { tileLimits } from './tile-set.ts';

/** The media type of a raster tile; null for anything that a window should not unpack. */
export function checkRasterTile(bytes: Buffer): string | null {
  const mediaType = sniffPicture(bytes);
  if (mediaType === null) return null;
  // An empty picture of many thousand pixels is a few bytes in a file and gigabytes on a screen.
  const size = readPictureSize(bytes, mediaType);
  const isSane =
    size !== null && [size.width, size.height].every((side) => side > 0 && side <= tileLimits.sidePx);
  return isSane ? mediaType : null;
}
