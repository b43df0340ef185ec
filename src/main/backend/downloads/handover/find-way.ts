import { assetsOf } from '#shared/stac/asset.ts';
import type { StacItem } from '#shared/stac/item.ts';
import type { HandoverTool } from '#shared/transfer/handover-tool.ts';
import { linkTargetsOf, type CatalogPlace } from '../../links/link-targets.ts';
import { readBucketPlace } from '../../links/s3/bucket-place.ts';
import { mayHaveSecret } from '../../links/secrets-in-url.ts';
import type { HandoverWay } from './handed-file.ts';

/**
 * What a tool may do with an address without giving the token away. aria2 and rclone send the headers that they are
 * told to send to whatever they are redirected to as well, so that the storage behind the proxy would get the token;
 * curl leaves `Authorization` out at another host or port.
 */
const able: Record<HandoverTool, readonly HandoverWay['kind'][]> = {
  curl: ['public', 'proxy'],
  aria2: ['public'],
  rclone: ['public', 's3'],
  s5cmd: ['s3'],
};

/** Whether a tool can use links of the catalog's proxy, for which the Item has to be asked for. */
export function usesProxy(tool: HandoverTool): boolean {
  return able[tool].includes('proxy');
}

/** How a tool comes by an asset without a secret; or why it can't, in words. */
export function findWay(
  tool: HandoverTool,
  asset: { item: StacItem; assetKey: string; place: CatalogPlace },
): HandoverWay | string {
  const found = assetsOf(asset.item).find(({ key }) => key === asset.assetKey);
  if (!found) return 'the item has no such asset any more';
  const ways = linkTargetsOf(found, asset.item, asset.place).flatMap(({ url, kind }): HandoverWay[] => {
    if (kind === 'proxy') return mayHaveSecret(url) ? [] : [{ kind, url }];
    return kind === 'direct' && !mayHaveSecret(url) ? [{ kind: 'public', url }] : [];
  });
  const object = readBucketPlace(found, asset.item);
  if (object) ways.push({ kind: 's3', object });
  const way = ways.find(({ kind }) => able[tool].includes(kind));
  if (way) return isWritable(way) ? way : 'its address holds characters that no line can hold';
  if (ways.some(({ kind }) => kind === 'proxy') && !usesProxy(tool))
    return `${tool} would send the token to the storage behind the proxy`;
  return `there is no address without a secret that ${tool} can use`;
}

function isWritable(way: HandoverWay): boolean {
  return !/\p{Cc}/u.test(way.kind === 's3' ? way.object.key : way.url);
}
