import { AppError } from '#shared/errors/app-error.ts';
import { toCurl } from '#shared/search/code/to-curl.ts';
import { toPython } from '#shared/search/code/to-python.ts';
import { toSwathCommand } from '#shared/search/code/to-swath-command.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import { toPostBody } from '#shared/search/wire.ts';
import type { SavedSearches } from './open-saved.ts';
import type { CodeKind } from './search-options.ts';

/**
 * A question as code, without any secret.
 * @throws AppError `input.invalid` when it can't be written so
 */
export function writeCode(
  kind: CodeKind,
  question: SavedQuestion,
  { baseUrl, needsToken }: Pick<SavedSearches, 'baseUrl' | 'needsToken'>,
): string {
  if (kind === 'json') return JSON.stringify(toPostBody(question.query), null, 2);
  if (kind === 'swath') {
    const command = toSwathCommand({ ...question, baseUrl });
    if (command === null)
      throw invalid('a name in the question holds a comma; the options of swath part names by it');
    return command;
  }
  if (baseUrl === null) {
    throw invalid(
      'the demo catalog has another address each time; start `swath demo` and name it with --base-url',
    );
  }
  const request = { ...question, baseUrl, needsToken };
  return (kind === 'curl' ? toCurl(request) : toPython(request)).trimEnd();
}

function invalid(why: string): AppError {
  return new AppError('input.invalid', `--code: ${why}`, { details: { field: 'code', why } });
}
