/** The property that says how much of an Item is under cloud, in per cent. */
export const cloudCover = 'eo:cloud_cover';

/** The same as a field to sort by, as POST writes it (catalog-service.md §4.6, Sortby Extension). */
export const cloudCoverField = `properties.${cloudCover}`;
