import type { MenuItemConstructorOptions } from 'electron';
import { beforeEach, expect, it } from 'vitest';
import type { AttentionAct } from '../backend/ports.ts';
import { createAttentionPort } from './attention-port.ts';
import { app, BrowserWindow, Menu, Notification, record, Tray } from './testing/electron-stand-in.ts';

let acts: AttentionAct[];
let shownCount: number;

function open() {
  const window = new BrowserWindow();
  const port = createAttentionPort({
    app,
    Notification: Notification as never,
    Tray: Tray as never,
    Menu: Menu as never,
    iconPath: '/icon.png',
    currentWindow: () => window,
    showWindow: () => (shownCount += 1),
  });
  port.onAct((act) => acts.push(act));
  return { port, window };
}

beforeEach(() => {
  acts = [];
  shownCount = 0;
  record.notices.length = 0;
  record.trays.length = 0;
  record.badgeCounts.length = 0;
});

it('shows progress on the taskbar and takes it away', () => {
  const { port, window } = open();
  port.showProgress({ fraction: 0.4, tone: 'paused', leftCount: 12 });
  expect(window.progress).toEqual({ fraction: 0.4, mode: 'paused' });
  port.showProgress(null);
  expect(window.progress).toEqual({ fraction: -1, mode: 'none' });
  expect(record.badgeCounts).toEqual([12, 0]);
});

it('notifies, and leads to the downloads when that is pressed', () => {
  const { port } = open();
  port.notify({ title: 'All is here', body: '12 files' });
  const [notice] = record.notices;
  expect(notice?.options).toEqual({ title: 'All is here', body: '12 files' });
  expect(notice?.isShown).toBe(true);
  notice?.emit('click');
  expect(acts).toEqual(['show-downloads']);
  expect(shownCount).toBe(1);
});

it('has one entry in the tray that says what happens and can stop it', () => {
  const { port } = open();
  port.showTray({ words: '12 files to come', act: 'pause-all' });
  port.showTray({ words: '11 files to come', act: 'pause-all' });
  expect(record.trays).toHaveLength(1);
  const [tray] = record.trays;
  expect(tray?.toolTip).toBe('Swath: 11 files to come');
  const entries = (tray?.menu as unknown as { template: MenuItemConstructorOptions[] }).template;
  expect(entries.flatMap(({ label }) => label ?? [])).toEqual([
    '11 files to come',
    'Show downloads',
    'Pause all downloads',
    'Quit Swath',
  ]);
  entries[3]?.click?.({} as never, undefined, {});
  expect(acts).toEqual(['pause-all']);
  port.showTray(null);
  expect(tray?.isDestroyed).toBe(true);
});
