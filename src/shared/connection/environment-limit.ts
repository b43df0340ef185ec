/** Characters of a `.env` file that are read. */
export const maxEnvironmentLength = 64 * 1024;
