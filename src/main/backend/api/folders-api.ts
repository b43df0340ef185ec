import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { ApiParts } from './api-parts.ts';

/** Handlers of `folders`. */
export function createFoldersApi({ folders }: ApiParts): Handlers<typeof contract>['folders'] {
  return {
    suggested: () => folders.suggested(),
    choose: ({ startAt }) => folders.choose(startAt),
    list: ({ path }) => folders.list(path),
    create: ({ parent, name }) => folders.create(parent, name),
  };
}
