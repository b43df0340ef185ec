/** Where the pixels of a raster lie: the projection extension's `proj:code`, `proj:transform` and `proj:shape`. */
export interface RasterFrame {
  /** 4326, or a WGS 84 / UTM zone. */
  epsg: number;
  /** Upper left corner, in metres or degrees. */
  left: number;
  top: number;
  /** Size of a pixel in metres or degrees; rows run south. */
  pixelSize: number;
  columns: number;
  rows: number;
}

/** The same ground with other pixels: as many columns as asked for, square pixels, whole rows. */
export function resampleFrame(frame: RasterFrame, columns: number): RasterFrame {
  const pixelSize = (frame.columns * frame.pixelSize) / columns;
  return {
    ...frame,
    pixelSize,
    columns,
    rows: Math.max(1, Math.round((frame.rows * frame.pixelSize) / pixelSize)),
  };
}
