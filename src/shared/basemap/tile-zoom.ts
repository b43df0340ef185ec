/** Nobody draws closer maps; file formats and requests are held to it. */
export const maxTileZoom = 24;
