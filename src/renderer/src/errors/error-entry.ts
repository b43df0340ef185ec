import type { Details } from './detail-words.ts';

/** What a person can do about an error; the place that shows it decides how. */
export type ErrorAction = 'retry' | 'change-query' | 'choose-folder';

/** The words for one code. */
export interface ErrorEntry {
  title: string;
  hint: (details: Details) => string;
  action?: ErrorAction;
}
