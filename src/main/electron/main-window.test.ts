import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Pipe } from '#shared/rpc/pipe.ts';
import type { Backend } from '../backend/backend.ts';
import { loadStandIn } from './testing/load-stand-in.ts';

const electron = loadStandIn();
const { channels } = await import('./pipe.ts');
const { openMainWindow } = await import('./main-window.ts');
const hello = '{"type":"hello","version":1}';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A window with its page, and the pipes that the backend was given for it. */
function open() {
  const pipes: { pipe: Pipe; isOpen: boolean }[] = [];
  const serve = (pipe: Pipe): void => {
    const served = { pipe, isOpen: true };
    pipe.onClose(() => (served.isOpen = false));
    pipes.push(served);
  };
  const logged: string[] = [];
  const log = (event: string) => void logged.push(event);
  openMainWindow({
    backend: { router: { serve } } as unknown as Backend,
    logger: { info: log, warn: log, error: log },
  });
  const window = electron.record.windows.at(-1);
  if (!window) throw new Error('No window was opened');
  const reloads = () => window.webContents.reloadCount;
  const sayHello = async () => {
    electron.sendFrom(window.webContents.mainFrame, channels.toBackend, [hello]);
    await Promise.resolve();
  };
  const crash = (reason = 'oom') =>
    window.webContents.emit('render-process-gone', {}, { reason, exitCode: 5 });
  return { window, pipes, logged, reloads, sayHello, crash };
}

it('I12 is loaded again when its page has crashed, and talks with the same backend', async () => {
  const { window, pipes, logged, reloads, sayHello, crash } = open();
  await sayHello();
  crash();
  expect(logged).toEqual(['window crashed']);
  expect(reloads()).toBe(1);
  await sayHello();
  expect(pipes.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  window.destroy();
});

it('is left alone when it keeps crashing, and not when it does so now and then', () => {
  const { window, reloads, crash } = open();
  for (let count = 0; count < 5; count += 1) crash();
  expect(reloads()).toBe(3);
  vi.advanceTimersByTime(10 * 60_000);
  crash();
  expect(reloads()).toBe(4);
  crash('clean-exit');
  expect(reloads()).toBe(4);
  window.destroy();
});
