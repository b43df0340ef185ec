declare module 'shpjs' {
  /** One geometry a record, null for an empty one. `prj` is the text of the .prj. */
  export function parseShp(shp: DataView, prj?: string): unknown[];
}
