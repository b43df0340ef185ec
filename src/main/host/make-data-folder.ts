import { AppError } from '#shared/errors/app-error.ts';
import { makeFolders } from './make-folders.ts';

/** Makes the data folder where it isn't there yet. @throws AppError `library.read-only` */
export function makeDataFolder(dataDir: string): void {
  try {
    makeFolders(dataDir);
  } catch (cause) {
    const code = String((cause as NodeJS.ErrnoException).code);
    throw new AppError('library.read-only', `The data folder ${dataDir} can't be made (${code})`, {
      details: { file: dataDir, mend: 'Name one that can be written to with --data-dir.' },
      cause,
    });
  }
}
