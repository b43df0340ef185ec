/** The largest file that an area is read from. Base64 of it still passes the pipe between window and program. */
export const maxAreaFileBytes = 20_000_000;
