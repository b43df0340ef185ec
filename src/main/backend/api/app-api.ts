import { AppError } from '#shared/errors/app-error.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { ApiParts } from './api-parts.ts';

/** Handlers of `app`. */
export function createAppApi({ ports, downloads }: ApiParts): Handlers<typeof contract>['app'] {
  const { desktop } = ports;
  return {
    info: () => ({
      version: ports.appVersion,
      host: ports.host,
      hasFolderDialog: desktop.chooseFolder !== undefined,
      canShowFiles: desktop.showFile !== undefined,
    }),
    showFile: async ({ transferId }) => {
      if (!desktop.showFile) throw new AppError('host.unsupported', 'This host has no file manager');
      // The window names a transfer, not a path: only files that Swath itself wrote can be shown.
      const transfer = downloads.transfers().find((one) => one.transferId === transferId);
      if (transfer?.state !== 'done' || transfer.filePath === null) {
        throw new AppError('transfer.not-found', `Transfer ${String(transferId)} has no finished file`);
      }
      await desktop.showFile(transfer.filePath);
      return {};
    },
  };
}
