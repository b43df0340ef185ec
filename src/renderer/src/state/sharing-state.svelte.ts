import { defaultSharingSettings } from '#shared/settings/sharing-settings.ts';
import type { Session, SwathClient } from './session.svelte.ts';

/** How the library is shared, as it was asked for. */
export type SharingWish = Parameters<SwathClient['sharing']['start']>[0];

/** How sharing is doing. */
export type SharingStatus = Parameters<Parameters<SwathClient['sharing']['watch']>[1]['onEvent']>[0];

type Token = Awaited<ReturnType<SwathClient['sharing']['token']>>;

const unknown: SharingStatus = {
  state: 'off',
  baseUrl: null,
  requestCount: 0,
  problem: null,
  settings: defaultSharingSettings,
};

/** The library as other programs read it: whether it is shared, and what they need for it. */
export class SharingState {
  readonly #session: Session;
  #status = $state.raw(unknown);
  #token = $state.raw<Token | null>(null);

  constructor(session: Session) {
    this.#session = session;
    session.onOpen((client) => {
      client.sharing.watch({}, { onEvent: (status) => (this.#status = status) });
      // The program may be another one now, with another token.
      this.#token = null;
    });
  }

  get status(): SharingStatus {
    return this.#status;
  }

  /** Null until it was asked for. */
  get token(): Token | null {
    return this.#token;
  }

  /** Switches it on, or on again with other settings. */
  async start(wish: SharingWish): Promise<void> {
    await this.#session.client.sharing.start(wish);
  }

  async stop(): Promise<void> {
    await this.#session.client.sharing.stop({});
  }

  async loadToken(): Promise<void> {
    this.#token ??= await this.#session.client.sharing.token({});
  }

  /** Who has the old token is locked out. */
  async renewToken(): Promise<void> {
    this.#token = await this.#session.client.sharing.renewToken({});
  }
}
