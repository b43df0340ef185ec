import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import { choosePlate, describePlateFile, type FileFacts } from '../files/plate-file.ts';
import { resampleFrame, type RasterFrame } from '../files/raster-frame.ts';
import { plateKinds, type Plate } from '../files/plate-kinds.ts';
import { describeText } from '../files/metadata-text.ts';
import { toFootprint } from '../geo/footprint.ts';
import { hashText } from '../random.ts';
import type { AssetPlan } from './asset-plan.ts';

/** What a sensor says about an item; the rest follows. */
export interface ItemDraft {
  collectionId: string;
  id: string;
  /** Convex; longitudes run on past ±180. */
  corners: readonly (readonly [lon: number, lat: number])[];
  ground: RasterFrame;
  properties: JsonObject;
  plans: readonly AssetPlan[];
  /** Folder of the files, ending in a slash. */
  storage: string;
  /** Extensions besides projection and file, as `eo/v1.1.0`. */
  extensions: readonly string[];
  /** Members that all assets of the item carry. */
  assetMembers?: JsonObject;
}

const extensionUrls = new Map<string, string[]>();

/** The STAC Item, in the member order of real answers. */
export function makeItem(draft: ItemDraft): IdentifiedItem {
  const { geometry, bbox } = toFootprint(draft.corners);
  const { epsg, left, top, pixelSize, columns, rows } = draft.ground;
  const properties: JsonObject = {
    ...draft.properties,
    'proj:code': `EPSG:${epsg}`,
    'proj:epsg': epsg,
    'proj:shape': [rows, columns],
    'proj:transform': [pixelSize, 0, left, 0, -pixelSize, top],
  };
  const assets: JsonObject = {};
  const complete = { ...draft, properties };
  const describe = rememberPlates(draft.ground);
  for (const plan of draft.plans) assets[plan.key] = makeAsset(plan, complete, describe);
  return {
    ref: { collectionId: draft.collectionId, itemId: draft.id },
    item: {
      type: 'Feature',
      stac_version: '1.0.0',
      stac_extensions: urlsOf(draft.extensions),
      id: draft.id,
      collection: draft.collectionId,
      geometry,
      bbox,
      properties,
      links: [],
      assets,
    },
  };
}

/** Bands of one item often share a plate, whose checksum need be found once only. */
function rememberPlates(ground: RasterFrame): (plate: Plate) => FileFacts {
  const known = new Map<string, FileFacts>();
  return (plate) => {
    const name = `${plate.name}/${plate.variant}`;
    const facts = known.get(name) ?? describePlateFile(plate, ground);
    known.set(name, facts);
    return facts;
  };
}

function makeAsset(plan: AssetPlan, draft: ItemDraft, describe: (plate: Plate) => FileFacts): JsonObject {
  const { content } = plan;
  const asset: JsonObject = {
    href: draft.storage + plan.file,
    type: plan.mediaType,
    title: plan.title,
    roles: plan.roles,
    ...plan.members,
    ...draft.assetMembers,
  };
  if (content.kind === 'plate') {
    const facts = describe(choosePlate(content.plate, hashText(plan.key + draft.id)));
    const { columns } = plateKinds[content.plate];
    if (columns !== draft.ground.columns) {
      const { pixelSize, rows, left, top } = resampleFrame(draft.ground, columns);
      asset['proj:shape'] = [rows, columns];
      asset['proj:transform'] = [pixelSize, 0, left, 0, -pixelSize, top];
    }
    asset['file:size'] = facts.sizeBytes;
    if (facts.checksum !== null) asset['file:checksum'] = facts.checksum;
  }
  if (content.kind === 'text') {
    const facts = describeText({ id: draft.id, properties: draft.properties }, content.format);
    asset['file:size'] = facts.sizeBytes;
    asset['file:checksum'] = facts.checksum;
  }
  return asset;
}

function urlsOf(extensions: readonly string[]): string[] {
  const key = extensions.join();
  const known = extensionUrls.get(key);
  if (known) return known;
  const urls = [...extensions, 'projection/v2.0.0', 'file/v2.1.0'].map((name) =>
    name.startsWith('https:') ? name : `https://stac-extensions.github.io/${name}/schema.json`,
  );
  extensionUrls.set(key, urls);
  return urls;
}
