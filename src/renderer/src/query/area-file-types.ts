/** Names that the file dialog shows first; any other file can be chosen too, and is known by its content. */
export const areaFileTypes = '.geojson,.json,.kml,.kmz,.gpx,.zip,.wkt,.txt';

/** The kinds of files, for people. */
export const areaFileWords = 'GeoJSON, KML, KMZ, GPX, WKT or a zipped Shapefile';
