// One parameter of each family is enough to know it: S3 SigV2 and GCS V2, S3 SigV4, GCS V4, Azure SAS (field notes §1.12).
const signatureParameters = ['signature', 'x-amz-signature', 'x-goog-signature', 'sig'];

/** Whether a URL carries its own permission, so that it must not be stored, shown or logged whole. */
export function isSignedUrl(url: string): boolean {
  const queryStart = url.indexOf('?');
  if (queryStart < 0) return false;
  return url
    .slice(queryStart + 1)
    .split('&')
    .some((pair) => signatureParameters.includes((pair.split('=')[0] ?? '').toLowerCase()));
}

const signatureInText = new RegExp(`[?&](?:${signatureParameters.join('|')})=`, 'i');

/** Whether a text could hold a signed URL: a quick look that spares most Items the thorough one. */
export function mayHoldSignedUrl(text: string): boolean {
  return signatureInText.test(text);
}
