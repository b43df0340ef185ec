import { expect, it } from 'vitest';
import { leadsToLogin } from './login-page.ts';

const file = 'https://data.example/scenes/B04.tif?x=1';

it.each([
  ['https://urs.example.gov/oauth/authorize?client_id=c', true],
  ['https://data.example/login?next=/scenes/B04.tif', true],
  ['https://login.example/common?x=B04.tif', true],
  ['https://idp.example/saml2/start', true],
  ['https://data.example/Signin.aspx', true],
  ['https://mirror.example/login/B04.tif?sig=1', false],
  ['https://auth.example/scenes/B04.tif', false],
  ['https://storage.example/authority/oauthor/7f3a', false],
])('%s is a login: %s', (target, isLogin) => {
  expect(leadsToLogin(file, target)).toBe(isLogin);
});
