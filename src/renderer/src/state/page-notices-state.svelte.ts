import type { AppState } from './app-state.svelte.ts';

/** Notifications of the page, for windows that are a browser's. A desktop's own come from the program. */
export class PageNoticesState {
  readonly #app: Pick<AppState, 'info' | 'settings'>;
  #permission = $state<NotificationPermission | 'unsupported'>('unsupported');

  constructor(app: Pick<AppState, 'info' | 'settings'>) {
    this.#app = app;
    if (typeof Notification !== 'undefined') this.#permission = Notification.permission;
  }

  /** Whether a person has yet to allow them, or the browser has been told to show none. */
  get obstacle(): 'ask' | 'denied' | 'unsupported' | null {
    if (this.#app.info?.host !== 'browser' || this.#permission === 'granted') return null;
    return this.#permission === 'default' ? 'ask' : this.#permission;
  }

  /** Asks the browser's permission; it must be told so by a press. */
  async ask(): Promise<void> {
    if (this.#permission === 'default') this.#permission = await Notification.requestPermission();
  }

  /** Shows one while nobody looks at the page. */
  show({ title, body, onPress }: { title: string; body: string; onPress: () => void }): void {
    const { info, settings } = this.#app;
    if (info?.host !== 'browser' || this.#permission !== 'granted') return;
    if (!settings.current.isNotifying || document.hasFocus()) return;
    const notice = new Notification(title, { body });
    notice.onclick = () => {
      window.focus();
      onPress();
      notice.close();
    };
  }
}
