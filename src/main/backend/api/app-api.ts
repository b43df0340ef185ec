import { AppError } from '#shared/errors/app-error.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { ApiParts } from './api-parts.ts';
import { untilAborted } from './until-aborted.ts';

/** Handlers of `app`. */
export function createAppApi({ ports, downloads, attention }: ApiParts): Handlers<typeof contract>['app'] {
  const { desktop } = ports;
  // The window names a transfer, not a path: only files that Swath itself wrote can be shown and opened.
  const findFile = (transferId: number): string => {
    const transfer = downloads.transfer(transferId);
    if (transfer.state === 'done' && transfer.filePath !== null) return transfer.filePath;
    throw new AppError('transfer.not-found', `Transfer ${String(transferId)} has no finished file`);
  };
  return {
    info: () => ({
      version: ports.appVersion,
      host: ports.host,
      hasFolderDialog: desktop.chooseFolder !== undefined,
      canShowFiles: desktop.showFile !== undefined,
      canOpenFiles: desktop.openFile !== undefined,
    }),
    calls: (_input, emit, { signal }) => untilAborted(() => attention.onCall(emit), signal),
    openFile: async ({ transferId }) => {
      if (!desktop.openFile) throw new AppError('host.unsupported', 'This host opens no files');
      await desktop.openFile(findFile(transferId)).catch((cause: unknown) => {
        throw new AppError('host.unsupported', 'The system has no program for the file', { cause });
      });
      return {};
    },
    showFile: async ({ transferId }) => {
      if (!desktop.showFile) throw new AppError('host.unsupported', 'This host has no file manager');
      await desktop.showFile(findFile(transferId));
      return {};
    },
  };
}
