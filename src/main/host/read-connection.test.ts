import { describe, expect, it } from 'vitest';
import { readConnection } from './read-connection.ts';

const token = 'secret';

describe('readConnection', () => {
  it.each([
    'https://api.example/v1/stac',
    'http://127.0.0.1:8777/v1/stac',
    'http://localhost/stac',
    'http://[::1]:80/',
  ])('takes a token to %s', (baseUrl) => {
    expect(readConnection({ baseUrl }, { SWATH_TOKEN: token })).toMatchObject({ kind: 'remote', token });
  });

  it.each(['http://api.example/v1/stac', 'http://127.0.0.1.api.example/', 'http://10.0.0.7:8080/stac'])(
    'takes no token to %s, where others can read it, unless told so',
    (baseUrl) => {
      expect(() => readConnection({ baseUrl, token }, {})).toThrow(
        expect.objectContaining({
          code: 'input.invalid',
          message: expect.not.stringContaining(token) as string,
        }),
      );
      expect(readConnection({ baseUrl, token }, { SWATH_INSECURE_HTTP: '1' })).toMatchObject({ token });
      expect(readConnection({ baseUrl }, {})).toMatchObject({ token: null });
    },
  );

  it('means the demo catalog where its size is given, and else what was used last', () => {
    expect(readConnection({}, { SWATH_TOKEN: token })).toBeNull();
    expect(readConnection({ demoItems: 50 }, { SWATH_TOKEN: token })).toEqual({
      kind: 'demo',
      itemCount: 50,
    });
  });

  it.each([
    'ftp://api.example/',
    'https://user:pass@api.example/',
    'https://api.example/?a=1',
    'api.example',
  ])('refuses the address %s', (baseUrl) => {
    expect(() => readConnection({ baseUrl }, {})).toThrow(expect.objectContaining({ code: 'input.invalid' }));
  });
});
