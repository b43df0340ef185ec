/** How a property is called and shown. */
export interface PropertyLabel {
  name: string;
  /** After the number: `°`, ` %`, ` m`. @default '' */
  unit?: string;
  /** Digits after the point. @default 2 */
  digits?: number;
  kind?: 'time' | 'epsg';
}

/**
 * Readable names and units of the properties that people decide by, in the order in which they are shown: STAC common
 * metadata and the eo, view, sat, sar, proj, processing, landsat, s2, mgrs, grid and raster extensions.
 */
export const propertyLabels: ReadonlyMap<string, PropertyLabel> = new Map(
  Object.entries<PropertyLabel>({
    'eo:cloud_cover': { name: 'Cloud cover', unit: ' %', digits: 1 },
    'view:sun_elevation': { name: 'Sun elevation', unit: '°', digits: 1 },
    'sar:polarizations': { name: 'Polarizations' },
    'sar:instrument_mode': { name: 'Instrument mode' },
    platform: { name: 'Platform' },
    gsd: { name: 'Resolution (GSD)', unit: ' m' },
    'view:off_nadir': { name: 'Off nadir', unit: '°', digits: 1 },
    'sat:orbit_state': { name: 'Orbit direction' },
    'sat:relative_orbit': { name: 'Relative orbit', digits: 0 },
    'grid:code': { name: 'Grid cell' },
    'eda:ag_cloud_mask_available': { name: 'Agriculture cloud mask' },
    'processing:level': { name: 'Processing level' },
    'proj:epsg': { name: 'Projection', kind: 'epsg' },
    'proj:code': { name: 'Projection' },
    datetime: { name: 'Taken', kind: 'time' },
    start_datetime: { name: 'From', kind: 'time' },
    end_datetime: { name: 'To', kind: 'time' },
    'eo:snow_cover': { name: 'Snow cover', unit: ' %', digits: 1 },
    constellation: { name: 'Constellation' },
    instruments: { name: 'Instruments' },
    mission: { name: 'Mission' },
    'view:sun_azimuth': { name: 'Sun azimuth', unit: '°', digits: 1 },
    'view:incidence_angle': { name: 'Incidence angle', unit: '°', digits: 1 },
    'view:azimuth': { name: 'View azimuth', unit: '°', digits: 1 },
    'sat:absolute_orbit': { name: 'Absolute orbit', digits: 0 },
    'sat:platform_international_designator': { name: 'Platform designator' },
    'sat:anx_datetime': { name: 'Ascending node', kind: 'time' },
    'sar:frequency_band': { name: 'Frequency band' },
    'sar:center_frequency': { name: 'Centre frequency', unit: ' GHz', digits: 3 },
    'sar:product_type': { name: 'Product type' },
    'sar:resolution_range': { name: 'Range resolution', unit: ' m' },
    'sar:resolution_azimuth': { name: 'Azimuth resolution', unit: ' m' },
    'sar:pixel_spacing_range': { name: 'Range pixel spacing', unit: ' m' },
    'sar:pixel_spacing_azimuth': { name: 'Azimuth pixel spacing', unit: ' m' },
    'sar:looks_range': { name: 'Range looks', digits: 0 },
    'sar:looks_azimuth': { name: 'Azimuth looks', digits: 0 },
    'sar:looks_equivalent_number': { name: 'Equivalent looks' },
    'sar:observation_direction': { name: 'Looks to the' },
    's2:mgrs_tile': { name: 'MGRS tile' },
    's2:product_type': { name: 'Product type' },
    's2:processing_baseline': { name: 'Processing baseline' },
    's2:nodata_pixel_percentage': { name: 'Without data', unit: ' %', digits: 1 },
    's2:water_percentage': { name: 'Water', unit: ' %', digits: 1 },
    's2:vegetation_percentage': { name: 'Vegetation', unit: ' %', digits: 1 },
    'mgrs:utm_zone': { name: 'UTM zone', digits: 0 },
    'landsat:wrs_path': { name: 'WRS path' },
    'landsat:wrs_row': { name: 'WRS row' },
    'landsat:cloud_cover_land': { name: 'Cloud cover over land', unit: ' %', digits: 1 },
    'landsat:collection_category': { name: 'Landsat category' },
    'landsat:correction': { name: 'Correction' },
    'proj:shape': { name: 'Pixels (rows × columns)', digits: 0 },
    'processing:facility': { name: 'Processed by' },
    'product:type': { name: 'Product type' },
    'eda:product_type': { name: 'Product type' },
    'eda:unusable_cover': { name: 'Unusable', unit: ' %', digits: 1 },
    license: { name: 'Licence' },
    created: { name: 'Catalogued', kind: 'time' },
    updated: { name: 'Updated', kind: 'time' },
    published: { name: 'Published', kind: 'time' },
    expires: { name: 'Expires', kind: 'time' },
  }),
);

// The time the Item was taken stands above its properties.
const lesser = ['datetime', 'created', 'updated', 'published', 'expires', 'license'];

/** Whether a property helps to decide and is shown without asking. */
export function isProminent(property: string): boolean {
  return propertyLabels.has(property) && !lesser.includes(property);
}
