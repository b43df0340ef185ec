import { AppError } from '#shared/errors/app-error.ts';

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const forbidden = /[<>:"/\\|?*\u0000-\u001f\u007f]/;
const reserved = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i;

/**
 * A folder's name that every system takes as one folder, unchanged.
 * @throws AppError `input.invalid`
 */
export function checkFolderName(name: string): string {
  const trimmed = name.trim();
  const why = findObstacle(trimmed);
  if (why !== null) throw new AppError('input.invalid', `name: ${why}`, { details: { field: 'name', why } });
  return trimmed;
}

function findObstacle(name: string): string | null {
  if (name === '') return 'it is empty';
  if (name.startsWith('.')) return 'a name that begins with a dot is hidden';
  if (name.endsWith('.')) return 'Windows takes no name that ends with a dot';
  if (forbidden.test(name)) return 'these characters are not allowed: < > : " / \\ | ? *';
  return reserved.test(name) ? 'Windows keeps that name for itself' : null;
}
