import { isAbsolute, relative, sep } from 'node:path';
import { assetsOf } from '#shared/stac/asset.ts';
import { fileNameOf, foldersOf, sidecarNames } from '../output/output-layout.ts';
import { clashKey, numberName, toSafeName } from '../output/safe-names.ts';
import type { OpenFile } from './handed-file.ts';

/** Gives files the paths below their folder that the queue would give them, each another one. */
export function createFileNamer(): (file: OpenFile) => string {
  const owners = new Map<string, string>();

  // The first of two ids whose names are one to some file system has it, the other the next.
  function take(key: string, name: string, owner: string): string {
    for (let copy = 1; ; copy += 1) {
      const numbered = numberName(name, copy);
      const taken = clashKey(`${key}/${numbered}`);
      const holder = owners.get(taken) ?? owner;
      owners.set(taken, holder);
      if (holder === owner) return numbered;
    }
  }

  return (file) => {
    const { ref, item, assetKey, destination } = file;
    const given = givenPath(file);
    if (given !== null) {
      owners.set(clashKey(`${destination}/${given}`), ownerOf(file));
      return given;
    }
    const names = foldersOf(ref, item);
    const collection = take(destination, names.collection, JSON.stringify([ref.collectionId]));
    const year = `${collection}/${names.year}`;
    const folder = `${year}/${take(`${destination}/${year}`, names.item, JSON.stringify(ref))}`;
    for (const name of Object.values(sidecarNames))
      owners.set(clashKey(`${destination}/${folder}/${name}`), '');
    const asset = assetsOf(item).find(({ key }) => key === assetKey);
    const name = asset ? fileNameOf(asset) : toSafeName(assetKey);
    return `${folder}/${take(`${destination}/${folder}`, name, ownerOf(file))}`;
  };
}

function ownerOf({ ref, assetKey }: OpenFile): string {
  return JSON.stringify([ref.collectionId, ref.itemId, assetKey]);
}

function givenPath({ filePath, destination }: OpenFile): string | null {
  if (filePath === null) return null;
  const path = relative(destination, filePath);
  return path === '' || isAbsolute(path) || path.startsWith('..') ? null : path.split(sep).join('/');
}
