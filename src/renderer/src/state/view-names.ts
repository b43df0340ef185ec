/** The views of the window. */
export const viewNames = ['search', 'library', 'downloads', 'settings'] as const;

/** The views of the window. */
export type ViewName = (typeof viewNames)[number];
