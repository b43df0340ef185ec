import ArrowDown from '@lucide/svelte/icons/arrow-down';
import ArrowDownToLine from '@lucide/svelte/icons/arrow-down-to-line';
import ArrowUp from '@lucide/svelte/icons/arrow-up';
import ArrowUpToLine from '@lucide/svelte/icons/arrow-up-to-line';
import Copy from '@lucide/svelte/icons/copy';
import FileCheck from '@lucide/svelte/icons/file-check';
import FileDown from '@lucide/svelte/icons/file-down';
import FolderInput from '@lucide/svelte/icons/folder-input';
import FolderOpen from '@lucide/svelte/icons/folder-open';
import ListX from '@lucide/svelte/icons/list-x';
import Pause from '@lucide/svelte/icons/pause';
import Play from '@lucide/svelte/icons/play';
import RotateCw from '@lucide/svelte/icons/rotate-cw';
import Satellite from '@lucide/svelte/icons/satellite';
import SquareArrowOutUpRight from '@lucide/svelte/icons/square-arrow-out-up-right';
import X from '@lucide/svelte/icons/x';
import Zap from '@lucide/svelte/icons/zap';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { formatCount } from '../format/format-number.ts';
import type { ActionTarget } from '../state/queue-view-state.svelte.ts';
import type { MenuAction } from '../ui/menu-action.ts';
import {
  isCancellable,
  isDoneNow,
  isMovable,
  isPausable,
  isRemovable,
  isResumable,
  type QueueActions,
} from './queue-actions.ts';
import { priorityWords } from './transfer-words.ts';

/** Everything that can be done to these, for a menu. */
export function listMenu(actions: QueueActions, target: ActionTarget): MenuAction[][] {
  return [
    listRunning(actions, target),
    listMoves(actions, target),
    listPriorities(actions, target),
    listFiles(actions, target),
    listItems(actions, target),
    offer(
      [
        actions.canCancel(target),
        {
          label: labelOf('Cancel', target, isCancellable),
          key: 'Del',
          icon: X,
          onChoose: () => actions.cancel(target),
        },
      ],
      [
        target.transfers.some(isRemovable),
        {
          label: labelOf('Take off the list', target, isRemovable),
          icon: ListX,
          onChoose: () => actions.remove(target),
        },
      ],
    ),
  ];
}

function listRunning(actions: QueueActions, target: ActionTarget): MenuAction[] {
  const { transfers, downloadId } = target;
  const hasFailed = transfers.some(({ state, finding }) => state === 'failed' || finding !== null);
  const isWaiting = !transfers.some(({ state }) => state === 'paused' || state === 'cancelled');
  return offer(
    [
      actions.canPause(target),
      {
        label: labelOf('Pause', target, isPausable),
        key: 'P',
        icon: Pause,
        onChoose: () => actions.pause(target),
      },
    ],
    [
      actions.canResume(target),
      {
        label: labelOf(
          hasFailed ? 'Try again' : isWaiting ? 'Try now' : 'Resume',
          target,
          isResumable(downloadId),
        ),
        // What can be paused as well is paused by P.
        key: hasFailed || actions.canPause(target) ? 'R' : 'P',
        icon: hasFailed ? RotateCw : Play,
        onChoose: () => actions.resume(target),
      },
    ],
    [
      actions.canStartNow(target),
      { label: 'Start now', icon: Zap, onChoose: () => actions.startNow(target) },
    ],
  );
}

function listMoves(actions: QueueActions, target: ActionTarget): MenuAction[] {
  if (!target.transfers.some(isMovable)) return [];
  return offer(
    [
      true,
      {
        label: 'To the top',
        key: 'Alt+Home',
        icon: ArrowUpToLine,
        onChoose: () => actions.move(target, 'top'),
      },
    ],
    [
      actions.canStep(target, 'up'),
      { label: 'Up', key: 'Alt+↑', icon: ArrowUp, onChoose: () => actions.step(target, 'up') },
    ],
    [
      actions.canStep(target, 'down'),
      { label: 'Down', key: 'Alt+↓', icon: ArrowDown, onChoose: () => actions.step(target, 'down') },
    ],
    [
      true,
      {
        label: 'To the bottom',
        key: 'Alt+End',
        icon: ArrowDownToLine,
        onChoose: () => actions.move(target, 'bottom'),
      },
    ],
  );
}

function listPriorities(actions: QueueActions, target: ActionTarget): MenuAction[] {
  if (!target.transfers.some(isMovable)) return [];
  return offer(
    ...(['high', 'normal', 'low'] as const).map((priority): Offer => [
      target.transfers.some((each) => each.priority !== priority),
      { label: priorityWords[priority], onChoose: () => actions.prioritise(target, priority) },
    ]),
  );
}

function listFiles(actions: QueueActions, target: ActionTarget): MenuAction[] {
  const { transfers, downloadId } = target;
  const isInOneFolder = transfers.length === 1 || downloadId !== null;
  return offer(
    [
      actions.canOpenFile(target),
      { label: 'Open the file', icon: SquareArrowOutUpRight, onChoose: () => actions.openFile(target) },
    ],
    [
      isInOneFolder && actions.canShowInFolder(target),
      { label: 'Show in folder', icon: FolderOpen, onChoose: () => actions.showInFolder(target) },
    ],
    [
      actions.canSend(target),
      { label: 'Choose another folder…', icon: FolderInput, onChoose: () => actions.chooseFolder(target) },
    ],
    [
      transfers.some(isDoneNow),
      {
        label: labelOf('Verify again', target, isDoneNow),
        key: 'V',
        icon: FileCheck,
        onChoose: () => actions.verify(target),
      },
    ],
    [
      transfers.some(({ filePath }) => filePath !== null),
      {
        label: transfers.length === 1 ? 'Copy the path' : 'Copy the paths',
        key: 'C',
        icon: Copy,
        onChoose: () => actions.copyPath(target),
      },
    ],
  );
}

function listItems(actions: QueueActions, target: ActionTarget): MenuAction[] {
  if (!actions.canShowItems(target)) return [];
  return offer(
    [
      target.transfers.length === 1,
      { label: 'Show the item', icon: Satellite, onChoose: () => actions.showItem(target) },
    ],
    [true, { label: 'Export the items…', icon: FileDown, onChoose: () => actions.exportItems(target) }],
  );
}

type Offer = readonly [isOffered: boolean, action: MenuAction];

function offer(...offers: readonly Offer[]): MenuAction[] {
  return offers.filter(([isOffered]) => isOffered).map(([, action]) => action);
}

// An action of a menu, and of how many it is where that is not all that were chosen: `Pause (3)`.
function labelOf(label: string, { transfers }: ActionTarget, is: (one: Transfer) => boolean): string {
  const count = transfers.filter(is).length;
  return count === transfers.length ? label : `${label} (${formatCount(count)})`;
}
