import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { ApiParts } from './api-parts.ts';
import { streamLatest } from './stream-latest.ts';

/** Handlers of `sharing`. */
export function createSharingApi({ sharing, settings }: ApiParts): Handlers<typeof contract>['sharing'] {
  const readToken = async () => {
    const { value: token, place } = await sharing.token.read();
    return { token, place };
  };
  return {
    watch: (_input, emit, { signal }) =>
      streamLatest({
        read: () => {
          const { isOn: _, ...last } = settings.current.sharing;
          return { ...sharing.status, settings: last };
        },
        onChange: (listener) => sharing.onChange(listener),
        emit,
        signal,
      }),
    start: async (wish) => {
      await sharing.start(wish);
      return {};
    },
    stop: async () => {
      await sharing.stop();
      return {};
    },
    token: readToken,
    renewToken: async () => {
      await sharing.renewToken();
      return readToken();
    },
  };
}
