import type { Database } from 'better-sqlite3';
import type { QueueStatus } from '#shared/transfer/queue-status.ts';

/** What is known of the queue as a whole. */
export interface Facts {
  /** Stopped by a person. */
  isPaused: boolean;
  /** The number of the next cancelling. */
  nextCancelId: number;
  notice: QueueStatus['notice'];
  /** Set while a process has the queue open. */
  isOpen: boolean;
}

/** Facts of the queue as a whole, on disk. */
export interface QueueFacts {
  read<Name extends keyof Facts>(name: Name): Facts[Name];
  write<Name extends keyof Facts>(name: Name, value: Facts[Name]): void;
}

const defaults: Facts = { isPaused: false, nextCancelId: 1, notice: null, isOpen: false };

/** The facts of an open queue. */
export function createQueueFacts(database: Database): QueueFacts {
  const select = database
    .prepare<[string], string>('SELECT value_json FROM queue_fact WHERE name = ?')
    .pluck();
  const save = database.prepare('INSERT OR REPLACE INTO queue_fact VALUES (?, ?)');
  return {
    read<Name extends keyof Facts>(name: Name) {
      const json = select.get(name);
      return json === undefined ? defaults[name] : (JSON.parse(json) as Facts[Name]);
    },
    write: (name, value) => void save.run(name, JSON.stringify(value)),
  };
}
