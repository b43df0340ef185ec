import { z } from 'zod';

const corner = z.tuple([z.number(), z.number()]);

/** Corners of a picture in degrees: of its first row left and right, of its last row right and left. */
export const pictureCornersSchema = z.tuple([corner, corner, corner, corner]);

/** Where a picture lies. */
export type PictureCorners = z.infer<typeof pictureCornersSchema>;
