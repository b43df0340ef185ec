import { describe, expect, it } from 'vitest';
import { defaultSettings, type Settings } from '#shared/settings/settings.ts';
import { createSettingsHolder } from './settings-holder.ts';

describe('the settings in use', () => {
  it('are those that could be written down', () => {
    const written: Settings[] = [];
    let isDiskFull = false;
    const holder = createSettingsHolder({
      read: () => ({}),
      write: (settings) => {
        if (isDiskFull) throw new Error('no space left');
        written.push(settings);
      },
    });
    const told: Settings[] = [];
    holder.onChange((settings) => told.push(settings));

    const dark = { ...defaultSettings, theme: 'dark' };
    expect(holder.change({ theme: 'dark' })).toEqual(dark);
    isDiskFull = true;
    expect(() => holder.change({ theme: 'light' })).toThrow('no space left');
    expect([holder.current, written, told]).toEqual([dark, [dark], [dark]]);
  });
});
