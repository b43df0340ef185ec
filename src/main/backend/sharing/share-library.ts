import { networkInterfaces } from 'node:os';
import { AppError } from '#shared/errors/app-error.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { Clock } from '../ports.ts';
import type { ServiceLibrary } from '../service/service-context.ts';
import { startSharedService, type RunningSharedService } from '../service/start-shared-service.ts';
import { createDiskAssets } from './disk-assets.ts';
import { findDownloadedFiles } from './downloaded-files.ts';
import { createStandardAnswers } from './standard-answers.ts';

/** What of a catalog is shared. */
export interface SharedCatalog {
  name: string;
  library: ServiceLibrary;
  /** Folders that its files were brought to. */
  destinations: () => readonly string[];
}

/** How it is shared. */
export interface ShareOptions {
  catalog: SharedCatalog;
  /** `127.0.0.1`, another address of this computer, or `0.0.0.0` for all of them. */
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Null asks for none, which is for this computer alone. */
  token: string | null;
  clock: Clock;
  onAnswer?: () => void;
}

/**
 * Serves a catalog's library, with the files that were downloaded, until closed.
 * @throws AppError `input.invalid` naming `port`, `host` or `token`
 */
export async function shareLibrary(options: ShareOptions): Promise<RunningSharedService> {
  const { catalog, host, port, token, clock, onAnswer = () => undefined } = options;
  const isLoopback = isLoopbackAddress(host);
  if (token === null && !isLoopback) {
    throw invalid('token', 'without a token only this computer can be served');
  }
  const publicHost = findPublicHost(host);
  const { library, name, destinations } = catalog;
  const findFiles = (one: IdentifiedItem) => findDownloadedFiles(one, destinations());
  try {
    return await startSharedService({
      library,
      assets: createDiskAssets({ findItem: (ref) => library.item(ref)?.value ?? null, findFiles }),
      createAnswers: (context) => createStandardAnswers(context, findFiles),
      host,
      publicHost,
      isLoopback,
      port,
      token,
      title: `${name} (library of Swath)`,
      description: `What was seen of ${name}, as it was when it was fetched, and the files that were downloaded.`,
      clock,
      onAnswer,
    });
  } catch (thrown) {
    throw toShareError(thrown, { host, port });
  }
}

/** Whether nobody but this computer reaches an address. */
export function isLoopbackAddress(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

// What listens on all addresses is named by the first that others reach.
function findPublicHost(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host.includes(':') ? `[${host}]` : host;
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const found = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (found) return found.address;
  throw invalid('host', 'this computer has no address on a network now');
}

function toShareError(thrown: unknown, { host, port }: { host: string; port: number }): unknown {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  switch (code) {
    case 'EADDRINUSE':
      return invalid('port', `another program uses port ${String(port)}; choose another`);
    case 'EACCES':
      return invalid('port', `the system keeps port ${String(port)} for itself; choose one above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return invalid('host', `${host} is no address of this computer`);
    default:
      return thrown;
  }
}

function invalid(field: string, why: string): AppError {
  return new AppError('input.invalid', `${field}: ${why}`, { details: { field, why } });
}
