import { toFileError } from './open-sqlite.ts';

/**
 * A store whose errors say what is wrong with its file, where SQLite names none: `library.disk-full`, `library.read-only`,
 * `library.in-use`, `library.corrupt`. Any other error is as it was.
 */
export function nameFailures<Store extends object>(
  store: Store,
  file: { filePath: string; name: string },
): Store {
  return new Proxy(store, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property);
      if (typeof member !== 'function') return member;
      return (...values: unknown[]): unknown => {
        try {
          return Reflect.apply(member, target, values) as unknown;
        } catch (thrown) {
          throw toFileError(thrown, file);
        }
      };
    },
  });
}
