import type { IncomingHttpHeaders } from 'node:http';

const harmless: ReadonlySet<string> = new Set(['', 'identity']);
/** Content codings of the IANA registry, and the one of S3. */
const known: ReadonlySet<string> = new Set(
  'aes128gcm aws-chunked br compress dcb dcz deflate exi gzip pack200-gzip x-compress x-gzip zstd'.split(' '),
);

/**
 * In what an answer's body is wrapped, though nothing of that kind was asked for; null where its bytes are the file's.
 * `chunked` alone is taken off by whoever reads the connection. Words that name no coding are not repeated: the log and
 * the window show what is found, and a server may echo a link's permission.
 */
export function findEncoding(headers: IncomingHttpHeaders): string | null {
  const ofContent = codingsOf(headers['content-encoding']);
  const ofTransfer = codingsOf(headers['transfer-encoding']).filter((coding) => coding !== 'chunked');
  const codings = [...ofContent, ...ofTransfer];
  return codings.length === 0
    ? null
    : codings.map((coding) => (known.has(coding) ? coding : 'unknown')).join(', ');
}

function codingsOf(header: string | undefined): string[] {
  const codings = header?.split(',').map((coding) => coding.trim().toLowerCase()) ?? [];
  return codings.filter((coding) => !harmless.has(coding));
}
