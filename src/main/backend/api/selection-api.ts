import { randomUUID } from 'node:crypto';
import { AppError, type ErrorData } from '#shared/errors/app-error.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { joinRules } from '#shared/selection/asset-rule.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { OpenCatalog } from '../connection/catalogs.ts';
import { AssetPlan } from '../selection/asset-plan.ts';
import { readItems } from '../selection/read-items.ts';
import type { ApiParts } from './api-parts.ts';
import { tryToKeep } from './kept-answers.ts';
import { throttle } from './throttle.ts';
import { untilAborted } from './until-aborted.ts';

/** Failures and kinds that are told one by one; the others are counted. */
const maxFailuresTold = 100;
const maxKindsTold = 400;

/** A selection that a window looks at. */
interface OpenSelection {
  /** The catalog that it was read from; another may be in use by now. */
  source: OpenCatalog;
  plan: AssetPlan;
  collectionIds: readonly string[];
}

type ItemFailure = ItemRef & { error: ErrorData };

/** Handlers of `selection`. */
export function createSelectionApi(parts: ApiParts): Handlers<typeof contract>['selection'] {
  const selections = new Map<string, OpenSelection>();

  const find = (selectionId: string): OpenSelection => {
    const selection = selections.get(selectionId);
    if (selection) return selection;
    const why = 'that selection is no longer open; choose again';
    throw new AppError('input.invalid', `selectionId: ${why}`, { details: { field: 'selectionId', why } });
  };

  return {
    assets: async ({ refs }, emit, { signal }) => {
      const selectionId = randomUUID();
      const collectionIds = [...new Set(refs.map(({ collectionId }) => collectionId))];
      const selection = { source: parts.catalogs.current, plan: new AssetPlan(), collectionIds };
      selections.set(selectionId, selection);
      try {
        await watchAssets(parts, selection, {
          refs,
          emit: (progress) => emit({ selectionId, ...progress }),
          signal,
        });
        await untilAborted(() => () => undefined, signal);
      } finally {
        selections.delete(selectionId);
      }
    },
    total: ({ selectionId, rule }) => find(selectionId).plan.total(rule),
  };
}

interface WatchAssets {
  refs: readonly ItemRef[];
  emit: (progress: {
    readCount: number;
    itemCount: number;
    isDone: boolean;
    failedCount: number;
    failed: ItemFailure[];
    kinds: AssetPlan['kinds'];
    hiddenKindCount: number;
    lastRule: ReturnType<typeof joinRules> | null;
  }) => void;
  signal: AbortSignal;
}

async function watchAssets(
  { ports, notebook }: ApiParts,
  { source, plan, collectionIds }: OpenSelection,
  { refs, emit, signal }: WatchAssets,
): Promise<void> {
  const rules = notebook.assetRules.find(source.id, collectionIds);
  const lastRule = rules.length === 0 ? null : joinRules(rules);
  const failures: ItemFailure[] = [];
  let readCount = 0;
  const tell = (isDone: boolean): void => {
    const { kinds } = plan;
    emit({
      readCount,
      itemCount: refs.length,
      isDone,
      failedCount: failures.length,
      failed: failures.slice(0, maxFailuresTold),
      kinds: kinds.slice(0, maxKindsTold),
      hiddenKindCount: Math.max(0, kinds.length - maxKindsTold),
      lastRule,
    });
  };
  const tellSome = throttle(tell);
  await readItems(refs, {
    source,
    signal,
    keep: async (items) => {
      const fetchedAtMs = ports.clock.now();
      await tryToKeep(ports.logger, () => source.library.saveItems(items, fetchedAtMs));
    },
    onRead: (readouts) => {
      readCount += readouts.length;
      for (const readout of readouts) {
        if ('item' in readout) plan.add(readout.ref, readout.item);
        else failures.push({ ...readout.ref, error: readout.error.toData() });
      }
      tellSome(false);
    },
  });
  if (!signal.aborted) tell(true);
}
