import type { CoverageAnswer, CoverageRequest } from './coverage-messages.ts';
import { CoverageMeasure, type PlacedFootprint } from './measure-coverage.ts';

/** Answers requests in their order, as the worker does; here so that it can be used without one. */
export function createCoverageAnswerer(): (request: CoverageRequest) => CoverageAnswer | null {
  let measure: CoverageMeasure | null = null;
  const placed: (PlacedFootprint | null)[] = [];

  return (request) => {
    if (request.kind === 'area') {
      measure = new CoverageMeasure(request.area);
      return null;
    }
    if (!measure) return null;
    if (request.kind === 'rows') {
      const percents = new Float64Array(request.footprints.length).fill(NaN);
      for (const [index, footprint] of request.footprints.entries()) {
        const place = footprint && measure.place(footprint);
        placed[request.from + index] = place;
        if (place) percents[index] = measure.percentOf(place) ?? NaN;
      }
      return { kind: 'rows', from: request.from, percents };
    }
    const footprints = [...request.indexes]
      .map((index) => placed[index] ?? null)
      .filter((one) => one !== null);
    const percent = footprints.length === 0 ? NaN : (measure.percentOfAll(footprints) ?? NaN);
    return { kind: 'group', key: request.key, percent };
  };
}
