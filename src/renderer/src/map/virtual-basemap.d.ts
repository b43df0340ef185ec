// Parts of the basemap that the build makes (scripts/bundle/basemap.ts): each module is the address of a file.
declare module 'virtual:basemap/places' {
  export const url: string;
}
declare module 'virtual:basemap/water-110m' {
  export const url: string;
}
declare module 'virtual:basemap/water-50m' {
  export const url: string;
}
