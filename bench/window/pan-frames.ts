import type { Page } from 'playwright-core';

/**
 * Drags a Leaflet map around once, a step every frame, and measures the frames: milliseconds, in order. The strokes are
 * short, as on a trackpad: the map comes to rest after each, and is painted again where that is due.
 */
export function panFrames(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const strokeCount = 40;
    const stepsAStroke = 5;
    const stepPx = 18;
    const target = document.querySelector('.leaflet-container') ?? document.body;
    const box = target.getBoundingClientRect();
    const frames: number[] = [];
    const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const send = (type: string, x: number, y: number): void => {
      const at = { clientX: box.x + box.width / 2 + x, clientY: box.y + box.height / 2 + y };
      target.dispatchEvent(
        new MouseEvent(type, { ...at, bubbles: true, cancelable: true, view: window, button: 0, buttons: 1 }),
      );
    };
    let last = await nextFrame();
    for (let stroke = 0; stroke < strokeCount; stroke++) {
      const angle = (stroke / strokeCount) * 2 * Math.PI;
      const [dx, dy] = [Math.cos(angle) * stepPx, Math.sin(angle) * stepPx];
      send('mousedown', 0, 0);
      for (let step = 1; step <= stepsAStroke; step++) {
        send('mousemove', dx * step, dy * step);
        if (step === stepsAStroke) send('mouseup', dx * step, dy * step);
        const at = await nextFrame();
        frames.push(at - last);
        last = at;
      }
    }
    return frames;
  });
}

/** The 95th percentile. */
export function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? NaN;
}
