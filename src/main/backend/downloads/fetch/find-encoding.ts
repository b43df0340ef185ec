import type { IncomingHttpHeaders } from 'node:http';

const harmless: ReadonlySet<string> = new Set(['', 'identity']);

/**
 * In what an answer's body is wrapped, though nothing of that kind was asked for; null where its bytes are the file's.
 * `chunked` alone is taken off by whoever reads the connection.
 */
export function findEncoding(headers: IncomingHttpHeaders): string | null {
  const ofContent = codingsOf(headers['content-encoding']);
  const ofTransfer = codingsOf(headers['transfer-encoding']).filter((coding) => coding !== 'chunked');
  const codings = [...ofContent, ...ofTransfer];
  return codings.length === 0 ? null : codings.join(', ');
}

function codingsOf(header: string | undefined): string[] {
  const codings = header?.split(',').map((coding) => coding.trim().toLowerCase()) ?? [];
  return codings.filter((coding) => !harmless.has(coding));
}
