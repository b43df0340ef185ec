import type { FootprintSet, VisibleFootprint } from './footprint-set.ts';
import { tracePath } from './footprint-trace.ts';
import type { CanvasFrame } from './picture.ts';
import type { LoadedPicture } from './picture-store.ts';

/** A footprint that fills its box but for this much is upright: then its picture is where the box is. */
const minFilledShare = 0.9;
const picturesAStep = 8;

/** A picture that is to be painted. */
export interface ShownPicture {
  footprint: VisibleFootprint;
  picture: LoadedPicture;
}

/** Draws each picture within its footprint: what it shows beyond that is no data. A step is what fits in a frame. */
export function* paintPictures(
  frame: CanvasFrame,
  set: FootprintSet,
  pictures: readonly ShownPicture[],
): Generator<void, void> {
  for (const [index, { footprint, picture }] of pictures.entries()) {
    const corners = picture.corners ?? uprightCorners(set, footprint.index);
    if (corners) paintPicture(frame, set, { footprint, image: picture.image, corners });
    if (index % picturesAStep === picturesAStep - 1) yield;
  }
}

function paintPicture(
  frame: CanvasFrame,
  set: FootprintSet,
  {
    footprint,
    image,
    corners,
  }: { footprint: VisibleFootprint; image: ImageBitmap; corners: NonNullable<LoadedPicture['corners']> },
): void {
  const { context, scale, left, top } = frame;
  const { minX = 0, maxX = 0 } = set.boxOf(footprint.index) ?? {};
  const [first = [0, 0]] = corners;
  // Footprint and corners may have come in different copies of the world.
  const copy = footprint.offset + Math.round((minX + maxX) / 2 - first[0]);
  const [northWest, northEast, southWest] = corners.map(([x, y]) => ({
    x: (x + copy) * scale - left,
    y: y * scale - top,
  }));
  if (!northWest || !northEast || !southWest) return;
  const path = new Path2D();
  tracePath(frame, set, { footprint, path, isStroke: false });
  context.save();
  context.clip(path, 'evenodd');
  context.transform(
    (northEast.x - northWest.x) / image.width,
    (northEast.y - northWest.y) / image.width,
    (southWest.x - northWest.x) / image.height,
    (southWest.y - northWest.y) / image.height,
    northWest.x,
    northWest.y,
  );
  context.drawImage(image, 0, 0);
  context.restore();
}

// Where no raster is told of, a picture of a tilted footprint may be tilted as well or not: it isn't shown.
function uprightCorners(set: FootprintSet, index: number): LoadedPicture['corners'] {
  const box = set.boxOf(index);
  if (!box || set.areaOf(index) < minFilledShare * (box.maxX - box.minX) * (box.maxY - box.minY)) return null;
  return [
    [box.minX, box.minY],
    [box.maxX, box.minY],
    [box.minX, box.maxY],
  ];
}
