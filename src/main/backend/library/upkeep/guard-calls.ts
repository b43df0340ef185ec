/** Performs a call on something that may be exchanged meanwhile. */
export type PerformCall = (name: string, perform: () => unknown) => unknown;

/**
 * Stands for an object that may be exchanged for another of its kind: each call goes to the one that is there then, by
 * way of `perform`. Members that are objects are stood for as well.
 */
export function guardCalls<Target extends object>(read: () => Target, perform: PerformCall): Target {
  const guarded = {};
  for (const name of namesOf(read())) {
    const member = (): unknown => Reflect.get(read(), name);
    const value = member();
    if (typeof value === 'function') {
      const call = (...args: unknown[]): unknown =>
        perform(name, () => Reflect.apply(member() as (...given: unknown[]) => unknown, read(), args));
      Object.defineProperty(guarded, name, { enumerable: true, value: call });
    } else if (typeof value === 'object' && value !== null) {
      const inner = guardCalls(() => member() as object, perform);
      Object.defineProperty(guarded, name, { enumerable: true, value: inner });
    } else {
      Object.defineProperty(guarded, name, { enumerable: true, get: member });
    }
  }
  return guarded as Target;
}

function namesOf(target: object): string[] {
  const names = new Set<string>();
  for (let at: object | null = target; at && at !== Object.prototype; at = Reflect.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  names.delete('constructor');
  return [...names];
}
