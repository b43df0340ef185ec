/** What list, map and timeline show of an Item: the `fields` of a survey that is kept light. */
export const lightPaths = [
  'type',
  'stac_version',
  'id',
  'collection',
  'bbox',
  'geometry',
  'properties.datetime',
  'properties.start_datetime',
  'properties.end_datetime',
  'properties.eo:cloud_cover',
  'properties.platform',
  'assets.thumbnail',
] as const;
