const secretName = /token|authorization|secret|password|cookie|signature/i;
const bearer = /\b(bearer|basic)\s+[\w~+/.=-]+/gi;
// The query and the fragment of a URL may carry a signature or a token, its userinfo a password.
const urlSecrets = /(\b[a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#@"']*@)?([^\s?#"']*)(?:[?#][^\s"']*)?/gi;

const maxDepth = 4;

/** Facts as they may be written down: secrets by name are hidden, URLs lose their query, fragment and userinfo. */
export function redactFacts(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactMembers(facts, 0);
}

/** A text without what its URLs and authorization headers carry. */
export function redactText(text: string): string {
  return text.replace(bearer, '$1 [hidden]').replace(urlSecrets, '$1$2');
}

function redactMembers(members: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      secretName.test(name) && value !== null ? '[hidden]' : redactValue(value, depth),
    ]),
  );
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value instanceof Error) return { name: value.name, message: redactText(value.message) };
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '[deeper]';
  if (Array.isArray(value)) return value.map((member) => redactValue(member, depth + 1));
  return redactMembers(value, depth + 1);
}
