/** The query string's parameters, decoded; values of a name that is given more than once are joined with commas. */
export function queryParams(url: string): Map<string, string> {
  const params = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(queryString(url))) {
    const earlier = params.get(name);
    params.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  return params;
}

/** The same query string, byte for byte, with one parameter set to a value that needs no escaping. */
export function withParam(url: string, name: string, value: string): string {
  const others = queryString(url)
    .split('&')
    .filter((pair) => pair !== '' && pair.split('=', 1)[0] !== name);
  return `?${[...others, `${name}=${value}`].join('&')}`;
}

function queryString(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}
