import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { ApiParts } from './api-parts.ts';

/** Handlers of `aoi`. */
export function createAoiApi({ areaReader }: ApiParts): Handlers<typeof contract>['aoi'] {
  return {
    readText: ({ text }, { signal }) => areaReader.readText(text, signal),
    readFile: ({ name, content }, { signal }) =>
      areaReader.readFile({ name, bytes: Buffer.from(content, 'base64') }, signal),
  };
}
