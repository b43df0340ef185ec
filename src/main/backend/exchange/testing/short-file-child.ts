import { isAppError } from '#shared/errors/app-error.ts';
import { OutputFile, toTemporaryPath } from '../output-file.ts';

// Writes a file of so many bytes, and says whether it has its name.
const [path = '', sizeBytes = ''] = process.argv.slice(2);
const file = await OutputFile.begin({ path, temporaryPath: toTemporaryPath(path), canReplace: false });
try {
  await file.write(Buffer.alloc(Number(sizeBytes), 'x'));
  await file.publish({ canReplace: false });
  process.stdout.write('published');
} catch (thrown) {
  await file.discard();
  process.stdout.write(isAppError(thrown) ? thrown.code : String(thrown));
}
