import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import { fixtureFiles } from './fixtures.ts';

/** One recorded exchange. */
export interface Interaction {
  method: string;
  url: URL;
  requestBody: string | null;
  status: number;
  contentType: string | null;
  location: string | null;
  /** Unpacked. */
  body: string;
  /** Whether it went over the wire compressed. */
  isPacked: boolean;
}

/** Recorded exchanges of one session with a server (VCR format). */
export interface Cassette {
  name: string;
  interactions: Interaction[];
}

/** All recorded cassettes. */
export function readCassettes(): Cassette[] {
  return fixtureFiles(/cassettes\/.*\.yaml$/).map(({ name, read }) => {
    const file: unknown = parse(read());
    const interactions =
      isJsonObject(file) && Array.isArray(file['interactions']) ? file['interactions'] : [];
    return { name, interactions: interactions.map(toInteraction) };
  });
}

function toInteraction(value: unknown): Interaction {
  const recorded = objectOf(value);
  const request = objectOf(recorded['request']);
  const response = objectOf(recorded['response']);
  const bytes = toBytes(objectOf(response['body'])['string']);
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return {
    method: String(request['method']),
    url: new URL(String(request['uri'])),
    requestBody: typeof request['body'] === 'string' ? request['body'] : null,
    status: Number(objectOf(response['status'])['code']),
    contentType: headerOf(response, 'content-type'),
    location: headerOf(response, 'location'),
    body: (isPacked ? gunzipSync(bytes) : bytes).toString('utf8'),
    isPacked,
  };
}

function toBytes(body: unknown): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? body : '');
}

function headerOf(response: JsonObject, name: string): string | null {
  for (const [key, values] of Object.entries(objectOf(response['headers']))) {
    if (key.toLowerCase() === name && Array.isArray(values)) return String(values[0]);
  }
  return null;
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
