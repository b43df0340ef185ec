import { AppError, toAppError } from '#shared/errors/app-error.ts';
import type { RuleRun } from '#shared/transfer/download-rule.ts';
import type { KeptRule } from '../notebook/download-rule-store.ts';
import type { Notebook } from '../notebook/notebook.ts';
import type { Logger } from '../ports.ts';
import { runRule, type RuleParts } from './run-rule.ts';

/** The rules of saved searches at work: one after the other. */
export interface Rules {
  /** The saved search whose rule runs now. */
  readonly runningId: number | null;
  onChange(listener: () => void): () => void;
  /** Runs a rule now, when those before it are done. @throws AppError `saved.not-found`, `cancelled` */
  run(savedSearchId: number, signal?: AbortSignal): Promise<RuleRun>;
  /** Runs the rule of a saved search that a person has just looked at, if it has one that is on. */
  noteLook(savedSearchId: number): void;
  close(): Promise<void>;
}

/** What the rules work with. */
export interface RulesOptions extends Omit<RuleParts, 'rules'> {
  notebook: Pick<Notebook, 'savedSearches' | 'downloadRules'>;
  logger: Logger;
  /** Whether nothing may be asked now. */
  isOffline: () => boolean;
  /** Milliseconds until the first look for what is due, and between looks; null: nothing runs by itself. */
  look: { firstMs: number; everyMs: number } | null;
}

const hourMs = 3_600_000;
// What went wrong for a while is tried again sooner.
const retryMs = 15 * 60_000;

/** Looks for rules that are due, and runs them. */
export function createRules(options: RulesOptions): Rules {
  const { notebook, clock, logger, look } = options;
  const { downloadRules: rules, savedSearches } = notebook;
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let runningId: number | null = null;
  let timer = look === null ? null : setTimeout(lookForDue, look.firstMs);
  timer?.unref();

  function note(id: number | null): void {
    runningId = id;
    for (const listener of [...listeners]) listener();
  }

  function run(savedSearchId: number, signal: AbortSignal): Promise<RuleRun> {
    const turn = last.then(async () => {
      if (signal.aborted) throw new AppError('cancelled', 'Nobody waits for this rule any more');
      const rule = need(savedSearchId);
      const saved = savedSearches.find(rule.connectionId, savedSearchId);
      if (saved === null) throw notFound(savedSearchId);
      note(savedSearchId);
      try {
        return await runRule({ ...options, rules }, { rule, ...saved }, signal);
      } finally {
        note(null);
      }
    });
    last = turn.catch(() => undefined);
    return turn;
  }

  function need(savedSearchId: number): KeptRule {
    const rule = rules.find(savedSearchId);
    if (rule === null) throw notFound(savedSearchId);
    return rule;
  }

  function runInBackground({ savedSearchId }: KeptRule): void {
    run(savedSearchId, closing.signal).catch((thrown: unknown) => {
      if (!closing.signal.aborted)
        logger.warn('rule.failed', { savedSearchId, code: toAppError(thrown).code });
    });
  }

  function lookForDue(): void {
    if (look === null || closing.signal.aborted) return;
    timer = setTimeout(lookForDue, look.everyMs);
    timer.unref();
    if (options.isOffline() || runningId !== null) return;
    for (const rule of rules.list()) if (isDue(rule, clock.now())) runInBackground(rule);
  }

  return {
    get runningId() {
      return runningId;
    },
    onChange: (listener) => {
      const stop = rules.onChange(listener);
      listeners.add(listener);
      return () => {
        stop();
        listeners.delete(listener);
      };
    },
    run: (savedSearchId, signal) =>
      run(savedSearchId, signal ? AbortSignal.any([signal, closing.signal]) : closing.signal),
    noteLook(savedSearchId) {
      const rule = rules.find(savedSearchId);
      if (rule?.isOn) runInBackground(rule);
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      closing.abort();
      await last;
      listeners.clear();
    },
  };
}

/** Whether the time of a rule has come. A clock that was put back makes it due. */
export function isDue({ isOn, everyHours, lastRun }: KeptRule, nowMs: number): boolean {
  if (!isOn || everyHours === null) return false;
  if (lastRun === null) return true;
  const agoMs = nowMs - Date.parse(lastRun.at);
  const waitMs = lastRun.error === null ? everyHours * hourMs : Math.min(retryMs, everyHours * hourMs);
  return agoMs < 0 || agoMs >= waitMs;
}

function notFound(savedSearchId: number): AppError {
  return new AppError('saved.not-found', `The saved search ${savedSearchId} has no rule`, {
    details: { savedSearchId },
  });
}
