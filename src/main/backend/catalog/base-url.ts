import { AppError } from '#shared/errors/app-error.ts';

/**
 * A catalog's address without trailing slash, query, fragment, user name and password, so that paths can be put after it.
 * @throws AppError `input.invalid` when it isn't an http(s) URL
 */
export function normalizeBaseUrl(text: string): string {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed) || !/^https?:$/.test(new URL(trimmed).protocol)) {
    throw new AppError('input.invalid', 'The catalog address is not an http or https URL', {
      details: { field: 'baseUrl', why: 'it is not an http or https URL' },
    });
  }
  const { origin, pathname } = new URL(trimmed);
  return origin + pathname.replace(/\/+$/, '');
}
