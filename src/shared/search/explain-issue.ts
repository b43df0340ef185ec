import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const namesOfTypes: Readonly<Record<string, string>> = {
  array: 'a list, […]',
  tuple: 'a list, […]',
  object: 'an object, {…}',
  record: 'an object, {…}',
  string: 'a text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

const formsOfMembers: Readonly<Record<string, string>> = {
  bbox: 'four numbers are needed: west, south, east, north; or six, with heights',
  intersects: 'a GeoJSON geometry is needed, such as {"type":"Point","coordinates":[5,52]}',
};

const unitsOf: Readonly<Record<string, string>> = { array: ' in the list are', string: ' letters are' };

/** What a member of a question has to be, in words. */
export function explainIssue(issue: Issue): string {
  switch (issue.code) {
    case 'too_small':
      if (issue.origin === 'string') return 'a text that isn’t empty is needed';
      return `at least ${String(issue.minimum)}${issue.origin === 'array' ? ' in the list are' : ' is'} needed`;
    case 'too_big':
      return `at most ${String(issue.maximum)}${unitsOf[issue.origin] ?? ' is'} possible`;
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')} is needed`;
    case 'unrecognized_keys':
      return 'the service has no such member';
    case 'invalid_type':
    case 'invalid_union':
      return formOf(issue) ?? 'it has the wrong form';
    default:
      return issue.message;
  }
}

function formOf(issue: Issue): string | undefined {
  const form = issue.path.length === 1 ? formsOfMembers[String(issue.path[0])] : undefined;
  if (form !== undefined || issue.code !== 'invalid_type') return form;
  return `${namesOfTypes[issue.expected] ?? issue.expected} is needed`;
}
