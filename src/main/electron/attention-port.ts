import type { App, BrowserWindow, Menu, Notification, Tray } from 'electron';
import type { AttentionAct, AttentionPort } from '../backend/ports.ts';

interface AttentionParts {
  app: Pick<App, 'setBadgeCount' | 'quit'>;
  Notification: Pick<typeof Notification, 'isSupported'> &
    (new (options: { title: string; body: string }) => Pick<Notification, 'show' | 'on'>);
  Tray: new (imagePath: string) => Pick<Tray, 'setToolTip' | 'setContextMenu' | 'destroy' | 'on'>;
  Menu: Pick<typeof Menu, 'buildFromTemplate'>;
  iconPath: string;
  currentWindow(): Pick<BrowserWindow, 'setProgressBar'> | null;
  /** Brings the window to the front; opens one where there is none. */
  showWindow(): void;
}

const modes = { running: 'normal', paused: 'paused', problem: 'error' } as const;
const labels = { 'pause-all': 'Pause all downloads', 'resume-all': 'Resume all downloads' };

/** Electron's taskbar progress, notifications and tray. */
export function createAttentionPort(parts: AttentionParts): AttentionPort {
  const listeners: ((act: AttentionAct) => void)[] = [];
  // Kept, or they would be collected while they are still on the screen.
  const notices = new Set<unknown>();
  let tray: InstanceType<AttentionParts['Tray']> | null = null;
  let shownTray = '';

  const act = (what: AttentionAct): void => {
    for (const listener of listeners) listener(what);
  };
  const showDownloads = (): void => {
    parts.showWindow();
    act('show-downloads');
  };
  const openTray = (): NonNullable<typeof tray> => {
    const opened = new parts.Tray(parts.iconPath);
    opened.on('click', showDownloads);
    return opened;
  };

  return {
    showProgress(progress) {
      // Below 0 Electron takes the bar away.
      parts
        .currentWindow()
        ?.setProgressBar(progress?.fraction ?? -1, { mode: progress ? modes[progress.tone] : 'none' });
      parts.app.setBadgeCount(progress?.leftCount ?? 0);
    },
    notify(content) {
      if (!parts.Notification.isSupported()) return;
      const notice = new parts.Notification(content);
      notices.add(notice);
      notice.on('click', () => {
        notices.delete(notice);
        showDownloads();
      });
      notice.on('close', () => notices.delete(notice));
      notice.show();
    },
    showTray(entry) {
      const wanted = JSON.stringify(entry);
      if (wanted === shownTray) return;
      shownTray = wanted;
      if (entry === null) {
        tray?.destroy();
        tray = null;
        return;
      }
      tray ??= openTray();
      tray.setToolTip(`Swath: ${entry.words}`);
      const { act: offered } = entry;
      tray.setContextMenu(
        parts.Menu.buildFromTemplate([
          { label: entry.words, enabled: false },
          { type: 'separator' },
          { label: 'Show downloads', click: showDownloads },
          ...(offered === null ? [] : [{ label: labels[offered], click: () => act(offered) }]),
          { type: 'separator' },
          { label: 'Quit Swath', click: () => parts.app.quit() },
        ]),
      );
    },
    onAct(listener) {
      listeners.push(listener);
    },
  };
}
