import { toAppError } from '#shared/errors/app-error.ts';
import { siblingAssetUrl, type CatalogPlace } from '../../links/link-targets.ts';
import type { LinkingCatalog } from '../../links/linked-items.ts';
import type { StacItem } from '#shared/stac/item.ts';
import type { HandoverTool } from '#shared/transfer/handover-tool.ts';
import { decodeChecksum } from '../file/multihash.ts';
import { askAhead } from './ask-ahead.ts';
import { findWay, usesProxy } from './find-way.ts';
import type { OpenFile } from './handed-file.ts';
import { createFileNamer } from './name-files.ts';
import { createHandoverWriter, isWritableFolder } from './write-handover.ts';

/** Files for a tool. */
export interface Handover {
  tool: HandoverTool;
  files: Iterable<OpenFile>;
  /** The folder on the other machine; null: the destination of each order. */
  folder: string | null;
  /** Where the header with the token will be. */
  tokenFile: string;
  catalogOf: (connectionId: string) => Promise<LinkingCatalog>;
}

/** Lines for the tool; or a file that can't be handed over, and why. */
export type HandedOver = { lines: string[]; isFile: boolean } | { file: OpenFile; why: string };

/** Writes files down for another tool, without a secret: no token, and no address that carries a permission. */
export async function* handOver({
  tool,
  files,
  folder,
  tokenFile,
  catalogOf,
}: Handover): AsyncGenerator<HandedOver> {
  const writer = createHandoverWriter(tool, { tokenFile });
  const nameOf = createFileNamer();

  async function ask(file: OpenFile): Promise<StacItem> {
    if (!usesProxy(tool)) return file.item;
    const catalog = await catalogOf(file.connectionId);
    return (await catalog.item(file.ref, { links: 'proxy' })).item;
  }

  yield { lines: writer.head, isFile: false };
  for (const { file, item: asked } of askAhead(files, ask)) {
    const target = folder ?? file.destination;
    if (!isWritableFolder(target)) {
      yield { file, why: 'its folder can’t be written in a line' };
      continue;
    }
    try {
      const catalog = await catalogOf(file.connectionId);
      const { baseUrl } = catalog;
      const place: CatalogPlace = { baseUrl, assetUrl: siblingAssetUrl(baseUrl) };
      const item = await asked;
      const path = nameOf(file);
      const way = findWay(tool, { item, assetKey: file.assetKey, place });
      if (typeof way === 'string') yield { file, why: way };
      else {
        const checksum = file.announcedChecksum === null ? null : decodeChecksum(file.announcedChecksum);
        yield {
          lines: writer.write({ way, folder: target.replace(/\/+$/, ''), path, checksum }),
          isFile: true,
        };
      }
    } catch (thrown) {
      yield { file, why: toAppError(thrown).message };
    }
  }
  yield { lines: writer.tail, isFile: false };
}
