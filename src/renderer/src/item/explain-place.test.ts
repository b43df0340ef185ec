import { describe, expect, it } from 'vitest';
import { explainPlace } from './explain-place.ts';

function square(west: number, south: number, east: number, north: number) {
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}

describe('explainPlace', () => {
  it('says nothing of a place that is as it should be', () => {
    expect(explainPlace({ geometry: square(1, 2, 3, 4), bbox: [1, 2, 3, 4] })).toEqual([]);
    expect(explainPlace({ geometry: square(1, 2, 3, 4), bbox: [0.98, 1.99, 3.1, 4.05] })).toEqual([]);
    expect(explainPlace({ geometry: square(1, 2, 3, 4), bbox: [1, 2, 0, 3, 4, 90] })).toEqual([]);
  });

  it.each([
    [{}, ['No footprint and no box: it can’t be shown on the map.']],
    [{ geometry: null, bbox: [1, 2, 3, 4] }, ['No footprint: the map shows its box.']],
    [
      { geometry: { type: 'Polygon' }, bbox: [1, 2, 3, 4] },
      ['Its footprint can’t be read: the map shows its box.'],
    ],
    [{ geometry: square(1, 2, 3, 4) }, ['No box: it is worked out from the footprint.']],
    [{ geometry: square(1, 2, 3, 4), bbox: ['1', 2] }, ['Its box can’t be read.']],
    [
      { geometry: square(1, 2, 3, 4), bbox: [1, 4, 3, 2] },
      ['Its box is upside down: south is north of north.'],
    ],
    [
      { geometry: square(1, 2, 3, 4), bbox: [11, 2, 13, 4] },
      ['Its box and footprint disagree: the map shows the footprint.'],
    ],
    [{ geometry: square(210, 2, 212, 4), bbox: [210, 2, 212, 4] }, ['Longitude 212° taken as −148°.']],
    [{ geometry: square(1, 85, 3, 95), bbox: [1, 85, 3, 95] }, ['Latitude 95° is beyond the pole.']],
  ])('%j', (item, sentences) => {
    expect(explainPlace(item)).toEqual(sentences);
  });

  it('knows a box across the antimeridian from one that disagrees', () => {
    const geometry = {
      type: 'MultiPolygon',
      coordinates: [square(178, -18, 180, -16).coordinates, square(-180, -18, -178, -16).coordinates],
    };
    expect(explainPlace({ geometry, bbox: [178, -18, -178, -16] })).toEqual([
      'It crosses the antimeridian (180°).',
    ]);
    expect(explainPlace({ geometry })).toEqual([
      'No box: it is worked out from the footprint.',
      'It crosses the antimeridian (180°).',
    ]);
    expect(explainPlace({ geometry: square(-180, -90, 180, 90) })).not.toContain(
      'It crosses the antimeridian (180°).',
    );
    expect(explainPlace({ geometry, bbox: [178, 18, -178, 20] })).toContain(
      'Its box and footprint disagree: the map shows the footprint.',
    );
  });
});
