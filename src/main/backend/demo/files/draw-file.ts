import { encodePng } from '../imagery/encode-png.ts';
import type { PictureScene } from '../imagery/picture-scene.ts';
import { renderScene } from '../imagery/render-scene.ts';
import { encodeCog } from './encode-cog.ts';

/** The two kinds of drawn files. */
export type DrawnFile = 'png' | 'cog';

const columnsOf: Record<DrawnFile, number> = { png: 256, cog: 1024 };

/** Draws a scene into a file. Takes tens of milliseconds for a PNG, hundreds for a COG. */
export function drawFile(scene: PictureScene, file: DrawnFile): Buffer {
  const picture = renderScene(scene, columnsOf[file]);
  return file === 'png' ? encodePng(picture) : encodeCog(picture);
}
