/** The member that says as of when a FeatureCollection is: after its features, as nobody knows it before. */
export function toTimeStamp(asOf: string | null): string {
  return asOf === null ? '' : `,"timeStamp":${JSON.stringify(asOf)}`;
}
