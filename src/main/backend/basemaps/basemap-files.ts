import { createChosenFiles, type ChosenFiles } from '../folders/chosen-files.ts';
import type { Ports } from '../ports.ts';

/** The only way to files of maps that a path from outside names. */
export type BasemapFiles = ChosenFiles;

/** Builds the access to files of one host. */
export function createBasemapFiles(ports: Pick<Ports, 'desktop' | 'homeDir'>): BasemapFiles {
  return createChosenFiles(ports, { name: 'Maps', extensions: ['pmtiles', 'mbtiles'] });
}
