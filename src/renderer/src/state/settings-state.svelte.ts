import { MediaQuery } from 'svelte/reactivity';
import { defaultSettings, type Settings } from '#shared/settings/settings.ts';
import type { Session, SwathClient } from './session.svelte.ts';

/** What the window may change of them. */
export type SettingsChange = Partial<Omit<Settings, 'network' | 'connections' | 'connectionId'>>;

/** How the network is to be reached, as it was typed. */
export type NetworkWish = Parameters<SwathClient['settings']['changeNetwork']>[0];

/** The settings as the program keeps them. */
export class SettingsState {
  readonly #session: Session;
  readonly #prefersDark = new MediaQuery('(prefers-color-scheme: dark)');
  #current = $state.raw<Settings>(defaultSettings);

  constructor(session: Session) {
    this.#session = session;
    session.onOpen((client) => {
      client.settings.watch({}, { onEvent: (settings) => (this.#current = settings) });
    });
  }

  get current(): Settings {
    return this.#current;
  }

  /** The theme to draw with: what was chosen, or what the system prefers. */
  get resolvedTheme(): 'light' | 'dark' {
    const { theme } = this.#current;
    if (theme !== 'system') return theme;
    return this.#prefersDark.current ? 'dark' : 'light';
  }

  /** Reaches the network in another way, as it was typed. Nothing of it is shown before it is in use. */
  async changeNetwork(wish: NetworkWish): Promise<void> {
    this.#current = await this.#session.client.settings.changeNetwork(wish);
  }

  /** What stands between the program and the catalog in use now. */
  readNetwork(): ReturnType<SwathClient['settings']['network']> {
    return this.#session.client.settings.network({});
  }

  /** Changes settings; the window shows the change at once and the program's answer settles it. */
  async change(change: SettingsChange): Promise<void> {
    const before = this.#current;
    this.#current = { ...before, ...change };
    try {
      this.#current = await this.#session.client.settings.change(change);
    } catch (thrown) {
      this.#current = before;
      throw thrown;
    }
  }
}
