import { isJsonObject } from '#shared/stac/json.ts';

/** One difference: the way to a member, and its value; without a value the member is to go. */
type Step = [path: (string | number)[]] | [path: (string | number)[], value: unknown];

/** What has to be done to `have` so that it is `wanted`, as text; null when they are the same JSON. */
export function findPatch(wanted: unknown, have: unknown): string | null {
  const steps = compare(wanted, have, []);
  return steps.length === 0 ? null : JSON.stringify(steps);
}

/** Does what a patch says. A step that doesn't fit is passed over. */
export function applyPatch(have: Record<string, unknown>, patch: string): void {
  for (const step of readSteps(patch)) {
    const [path, value] = step;
    const name = path.at(-1);
    const parent = path.slice(0, -1).reduce<unknown>(memberOf, have);
    if (name === undefined || typeof parent !== 'object' || parent === null) continue;
    // A member named __proto__ is a member like any other.
    if (step.length === 1) Reflect.deleteProperty(parent, name);
    else Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true });
  }
}

function compare(wanted: unknown, have: unknown, path: readonly (string | number)[]): Step[] {
  if (wanted === have) return [];
  if (Array.isArray(wanted) && Array.isArray(have) && wanted.length === have.length) {
    return wanted.flatMap((member, index) => compare(member, have[index], [...path, index]));
  }
  if (!isJsonObject(wanted) || !isJsonObject(have)) return [[[...path], wanted]];
  const surplus = Object.keys(have).filter((name) => !Object.hasOwn(wanted, name));
  return [
    ...surplus.map((name): Step => [[...path, name]]),
    ...Object.keys(wanted).flatMap((name): Step[] =>
      Object.hasOwn(have, name)
        ? compare(wanted[name], have[name], [...path, name])
        : [[[...path, name], wanted[name]]],
    ),
  ];
}

function readSteps(patch: string): Step[] {
  const steps: unknown = JSON.parse(patch);
  return Array.isArray(steps) ? steps.filter(isStep) : [];
}

function isStep(step: unknown): step is Step {
  if (!Array.isArray(step) || step.length > 2) return false;
  const [path] = step as unknown[];
  return Array.isArray(path) && path.every((name) => typeof name === 'string' || typeof name === 'number');
}

function memberOf(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string | number, unknown>)[name];
}
