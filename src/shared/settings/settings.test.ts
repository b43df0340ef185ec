import { expect, it } from 'vitest';
import { defaultSettings, readSettings } from './settings.ts';

it('falls back to the default for a malformed setting alone', () => {
  expect(readSettings({ theme: 'dark', maxConcurrentTransfers: 'many', unknown: 1 })).toEqual({
    ...defaultSettings,
    theme: 'dark',
  });
  expect(readSettings('not an object')).toEqual(defaultSettings);
});
