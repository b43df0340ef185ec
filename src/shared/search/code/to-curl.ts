import { toPostBody } from '../wire.ts';
import { quoteSh } from './quote-sh.ts';
import type { SearchRequest } from './search-request.ts';

/** The request as `curl` for a POSIX shell: the first page, as the service sends it. */
export function toCurl({ query, baseUrl, needsToken }: SearchRequest): string {
  return [
    `curl -sS ${quoteSh(`${baseUrl}/search`)}`,
    // In double quotes, so that the shell puts the token in when it runs.
    ...(needsToken ? ['-H "Authorization: Bearer $SWATH_TOKEN"'] : []),
    "-H 'Content-Type: application/json'",
    `--data-raw ${quoteSh(JSON.stringify(toPostBody(query)))}`,
  ].join(' \\\n  ');
}
