import { createHttpClient } from '../../http/create-http-client.ts';
import type { TokenSource } from '../../http/http-client.ts';
import type { Network } from '../../http/network/network.ts';
import { createLinkResolver } from '../../links/create-link-resolver.ts';
import type { S3Signer } from '../../links/s3/s3-signer.ts';
import type { Logger } from '../../ports.ts';
import type { DownloadsOptions } from '../downloads.ts';
import { catalogOver } from './link-parts.ts';
import type { ManualTime } from './manual-time.ts';

/** What a queue needs to have its links from the catalog of a test, over HTTP; what it logs is collected. */
export function connectToCatalog(options: {
  origin: string;
  token: () => string;
  renew?: TokenSource['renew'];
  time: Pick<ManualTime, 'clock' | 'timers'>;
  log: string[];
  network?: Network | null;
  s3?: S3Signer;
}): Pick<DownloadsOptions, 'http' | 'logger' | 'resolveLink'> {
  const { origin, token, renew, log, network = null, s3 } = options;
  const { clock, timers } = options.time;
  const note = (event: string, facts: unknown = {}) => void log.push(`${event} ${JSON.stringify(facts)}`);
  const logger: Logger = { info: note, warn: note, error: note };
  const http = createHttpClient({
    credentials: { origin, accessToken: () => Promise.resolve(token()), ...(renew ? { renew } : {}) },
    clock,
    logger,
    wait: (delayMs) => new Promise((resolve) => timers.after(delayMs, () => resolve())),
    random: () => 0.5,
    ...(network === null ? {} : { network }),
  });
  const catalog = catalogOver(http, { origin, clock });
  return { http, logger, resolveLink: createLinkResolver({ catalog, http, clock, ...(s3 ? { s3 } : {}) }) };
}
