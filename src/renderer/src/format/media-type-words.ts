const words: readonly [pattern: RegExp, words: string][] = [
  [/^image\/tiff.*cloud-optimized/, 'Cloud-Optimized GeoTIFF'],
  [/^image\/(vnd\.stac\.)?geotiff.*cloud-optimized/, 'Cloud-Optimized GeoTIFF'],
  [/^image\/(tiff|vnd\.stac\.geotiff).*geotiff/, 'GeoTIFF'],
  [/^image\/vnd\.stac\.geotiff/, 'GeoTIFF'],
  [/^image\/tiff/, 'TIFF'],
  [/^image\/jp2/, 'JPEG 2000'],
  [/^image\/jpe?g/, 'JPEG'],
  [/^image\/png/, 'PNG'],
  [/^image\/webp/, 'WebP'],
  [/^application\/geo\+json/, 'GeoJSON'],
  [/^application\/json/, 'JSON'],
  [/^(application|text)\/xml/, 'XML'],
  [/^text\/html/, 'Web page'],
  [/^text\/plain/, 'Text'],
  [/^text\/csv/, 'CSV'],
  [/^application\/pdf/, 'PDF'],
  [/^application\/(x-)?netcdf/, 'NetCDF'],
  [/^application\/x-hdf5?/, 'HDF5'],
  [/^application\/(vnd\.zarr|zarr)/, 'Zarr'],
  [/^application\/(vnd\.apache\.|x-)?parquet/, 'Parquet'],
  [/^application\/geopackage|gpkg/, 'GeoPackage'],
  [/^application\/vnd\.laszip|copc/, 'Point cloud'],
  [/^application\/(zip|x-zip)/, 'ZIP archive'],
  [/^application\/(gzip|x-gzip)/, 'gzip archive'],
  [/^application\/x-tar/, 'tar archive'],
  [/^inode\/directory/, 'Folder'],
];

/** A media type as people call it; an unknown one as it is, none as `Unknown type`. */
export function describeMediaType(mediaType: string | null): string {
  if (mediaType === null) return 'Unknown type';
  const normal = mediaType.toLowerCase().replaceAll(/\s+/g, '');
  const known = words.find(([pattern]) => pattern.test(normal));
  return known ? known[1] : (mediaType.split(';')[0] ?? mediaType);
}
