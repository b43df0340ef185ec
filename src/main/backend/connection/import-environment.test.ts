import { describe, expect, it } from 'vitest';
import { connectionAuthSchema } from '#shared/connection/connection-settings.ts';
import { importEnvironment, importEnvironmentFile } from './import-environment.ts';

const whole = {
  EDS_API_URL: 'https://api.example',
  EDS_AUTH_URL: 'https://auth.example/oauth2/token',
  EDS_CLIENT_ID: 'client-1',
  EDS_SECRET: 'hush-hush',
};

describe('the environment of a user of the service', () => {
  it('gives a connection, and the secret apart', () => {
    const found = importEnvironment(whole);
    expect(found).toEqual({
      draft: {
        name: 'api.example',
        baseUrl: 'https://api.example/platform/v1/stac',
        auth: {
          kind: 'oauth2',
          tokenUrl: 'https://auth.example/oauth2/token',
          clientId: 'client-1',
          style: 'body',
        },
      },
      secret: 'hush-hush',
      missing: [],
      assumed: [],
      unusable: [],
    });
    expect(connectionAuthSchema.safeParse(found?.draft.auth).success).toBe(true);
    expect(JSON.stringify(found?.draft)).not.toContain('hush-hush');
  });

  it.each([
    ['https://api.example/', 'https://api.example/platform/v1/stac'],
    ['api.example', 'https://api.example/platform/v1/stac'],
    ['https://api.example/platform/v1/stac', 'https://api.example/platform/v1/stac'],
    ['https://api.example/platform/v1/stac/', 'https://api.example/platform/v1/stac'],
    ['https://old.example/archive/v1/stac/v1', 'https://old.example/archive/v1/stac/v1'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/platform/v1/stac'],
  ])('%s leads to %s', (url, baseUrl) => {
    expect(importEnvironment({ ...whole, EDS_API_URL: url })?.draft.baseUrl).toBe(baseUrl);
  });

  it('puts in the documented addresses for an API token, and says so', () => {
    const found = importEnvironment({ EDS_CLIENT_ID: 'EARTHDAILY_API_TOKEN', EDS_SECRET: 'hush-hush' });
    expect(found?.draft).toMatchObject({
      baseUrl: 'https://api.earthdaily.com/platform/v1/stac',
      auth: {
        tokenUrl: 'https://api.earthdaily.com/account_management/v1/authentication/api_tokens/exchange',
      },
    });
    expect(found).toMatchObject({ missing: [], assumed: ['EDS_API_URL', 'EDS_AUTH_URL'] });
  });

  it('invents no token address for an older account, and says what is missing', () => {
    const found = importEnvironment({
      EDS_API_URL: 'https://api.example',
      EDS_CLIENT_ID: 'mine',
      EDS_SECRET: ' ',
    });
    expect(found).toMatchObject({
      draft: { auth: { tokenUrl: null } },
      secret: null,
      missing: ['EDS_AUTH_URL', 'EDS_SECRET'],
      assumed: [],
    });
  });

  it('says what can’t be used and why', () => {
    const found = importEnvironment({ ...whole, EDS_AUTH_URL: 'ftp://auth.example' });
    expect(found).toMatchObject({
      draft: { auth: { tokenUrl: null } },
      missing: [],
      unusable: [{ name: 'EDS_AUTH_URL', why: 'an http or https address is needed' }],
    });
  });

  it('without any of the names gives nothing', () => {
    expect(importEnvironment({ PATH: '/bin' })).toBeNull();
    expect(importEnvironmentFile('A=1\n')).toBeNull();
  });
});

it('a .env file is read with its quotes, comments and line ends', () => {
  const found = importEnvironmentFile(
    [
      '\uFEFF# my account',
      'export EDS_API_URL="https://api.example"',
      "EDS_AUTH_URL='https://auth.example/oauth2/token' # the address",
      'EDS_CLIENT_ID=client-1',
      'EDS_SECRET="with spaces # and a hash"',
      'OTHER=thing',
    ].join('\r\n'),
  );
  expect(found?.draft).toEqual(importEnvironment(whole)?.draft);
  expect(found?.secret).toBe('with spaces # and a hash');
});

it('a file that is too long is refused', () => {
  expect(() => importEnvironmentFile('A=1\n'.repeat(100_000))).toThrow(
    expect.objectContaining({ code: 'input.too-large' }),
  );
});
