import { encode } from 'fast-png';
import { PbfWriter } from 'pbf';

/** A PNG of one colour. */
export function writePicture([red, green, blue]: readonly [number, number, number], sidePx = 256): Buffer {
  const data = new Uint8Array(sidePx * sidePx * 3);
  for (let i = 0; i < data.length; i += 3) data.set([red, green, blue], i);
  return Buffer.from(encode({ width: sidePx, height: sidePx, data, channels: 3 }));
}

/** A small PNG that says of itself that it is so large. */
export function writeHugePicture(sidePx: number): Buffer {
  const picture = writePicture([255, 0, 0], 8);
  picture.writeUInt32BE(sidePx, 16);
  picture.writeUInt32BE(sidePx, 20);
  return picture;
}

/** A polygon of a vector tile, and what is said about it. */
export interface TileSquare {
  layer: string;
  properties: Record<string, string>;
  /** Corners in the tile's 4096 units. */
  box: readonly [left: number, top: number, right: number, bottom: number];
}

/** A Mapbox vector tile, version 2, of squares. */
export function writeVectorTile(squares: readonly TileSquare[]): Buffer {
  const writer = new PbfWriter();
  for (const name of new Set(squares.map(({ layer }) => layer))) {
    writer.writeMessage(3, writeLayer, { name, squares: squares.filter(({ layer }) => layer === name) });
  }
  return Buffer.from(writer.finish());
}

function writeLayer({ name, squares }: { name: string; squares: TileSquare[] }, writer: PbfWriter): void {
  const texts = [...new Set(squares.flatMap(({ properties }) => Object.entries(properties).flat()))];
  writer.writeVarintField(15, 2);
  writer.writeStringField(1, name);
  for (const square of squares) {
    writer.writeMessage(
      2,
      ({ properties, box }, feature) => {
        const tags = Object.entries(properties).flatMap((pair) => pair.map((text) => texts.indexOf(text)));
        feature.writePackedVarint(2, tags);
        feature.writeVarintField(3, 3);
        feature.writePackedVarint(4, toCommands(box));
      },
      square,
    );
  }
  for (const text of texts) writer.writeStringField(3, text);
  for (const text of texts) writer.writeMessage(4, (value, to) => to.writeStringField(1, value), text);
  writer.writeVarintField(5, 4096);
}

// MoveTo, three LineTo, ClosePath: numbers zigzagged, each corner as the difference to the last.
function toCommands([left, top, right, bottom]: TileSquare['box']): number[] {
  const zigzag = (value: number): number => (value << 1) ^ (value >> 31);
  const [width, height] = [right - left, bottom - top];
  return [9, zigzag(left), zigzag(top), 26, zigzag(width), 0, 0, zigzag(height), zigzag(-width), 0, 15];
}
