import { beforeEach, expect, it } from 'vitest';
import { eventually } from '#shared/testing/eventually.ts';
import type { AttentionPort } from '../backend/ports.ts';
import { createBackgroundRun } from './background-run.ts';
import { app, BrowserWindow, dialog, record } from './testing/electron-stand-in.ts';

const silentPort: AttentionPort = {
  showProgress: () => undefined,
  notify: () => undefined,
  showTray: () => undefined,
  onAct: () => undefined,
};

function open({ isMac = false } = {}) {
  const background = createBackgroundRun({ app, dialog, isMac });
  const { showTray } = background.follow(silentPort);
  const openWindow = () => {
    const window = new BrowserWindow();
    background.guard(window as never);
    return window;
  };
  return { showTray, openWindow, window: openWindow() };
}

const [keep, quit, cancel] = [0, 1, 2];

beforeEach(() => {
  app.removeAllListeners();
  record.windows.length = 0;
  record.askedQuestions.length = 0;
  record.exitCodes.length = 0;
});

it('ends with its window when nothing is on its way, or all of it is paused', () => {
  const { showTray, window } = open();
  showTray({ words: '2 files to come, paused', act: 'resume-all' });
  window.close();
  expect(record.askedQuestions).toEqual([]);
  expect(record.exitCodes).toEqual([0]);
});

it('goes on without a window when that is wanted, and ends when all is done', async () => {
  const { showTray, window } = open();
  showTray({ words: '2 files to come', act: 'pause-all' });
  record.nextButton = keep;
  window.close();
  window.close();
  await eventually(() => expect(record.windows).toEqual([]));
  expect(record.askedQuestions.map(({ message }) => message)).toEqual([
    '2 files to come. Keep downloading without the window?',
  ]);
  expect(record.exitCodes).toEqual([]);
  showTray({ words: '1 file to come', act: 'pause-all' });
  expect(record.exitCodes).toEqual([]);
  showTray(null);
  expect(record.exitCodes).toEqual([0]);
});

it('stays when its window is back, though all is done', async () => {
  const { showTray, window, openWindow } = open();
  showTray({ words: '2 files to come', act: 'pause-all' });
  record.nextButton = keep;
  window.close();
  await eventually(() => expect(record.windows).toEqual([]));
  openWindow();
  showTray(null);
  expect(record.exitCodes).toEqual([]);
});

it('quits, or keeps its window, as the person says', async () => {
  const { showTray, window } = open();
  showTray({ words: '2 files to come', act: 'pause-all' });
  record.nextButton = cancel;
  window.close();
  await eventually(() => expect(record.askedQuestions).toHaveLength(1));
  expect(record.windows).toHaveLength(1);
  record.nextButton = quit;
  await eventually(() => {
    window.close();
    expect(record.exitCodes).toEqual([0]);
  });
});

it('asks nothing when the program is quit, nor on a Mac, where closing a window ends nothing', () => {
  const mac = open({ isMac: true });
  mac.showTray({ words: '2 files to come', act: 'pause-all' });
  mac.window.close();
  expect(record.exitCodes).toEqual([]);
  const other = open();
  other.showTray({ words: '2 files to come', act: 'pause-all' });
  app.quit();
  expect(record.askedQuestions).toEqual([]);
  expect(record.exitCodes).toEqual([0]);
});
