/** Runs tasks of one key one after the other, of different keys side by side. */
export interface SerialTasks {
  run<Result>(key: string, task: () => Promise<Result>): Promise<Result>;
}

/** Makes a set of queues, each gone when it is empty. */
export function createSerialTasks(): SerialTasks {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async run(key, task) {
      const before = tails.get(key) ?? Promise.resolve();
      const result = before.then(task, task);
      const tail = result.catch(() => undefined);
      tails.set(key, tail);
      try {
        return await result;
      } finally {
        if (tails.get(key) === tail) tails.delete(key);
      }
    },
  };
}
