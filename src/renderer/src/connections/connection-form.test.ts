import { expect, it } from 'vitest';
import type { ConnectionEntry } from '#shared/connection/connection-list.ts';
import { readForm, toForm, usesKeptSecret } from './connection-form.ts';

const entry: ConnectionEntry = {
  id: 'a',
  name: 'A',
  kind: 'remote',
  links: 'auto',
  maxConcurrentRequests: 30,
  baseUrl: 'https://a.example/stac',
  auth: { kind: 'oauth2', tokenUrl: 'https://accounts.example/token', clientId: 'me', style: 'body' },
  isSaved: true,
  isCurrent: false,
  state: 'closed',
  problem: null,
  secretPlace: 'keychain',
};

it('asks for the secret again where an address is on another server', () => {
  const form = toForm(entry);
  expect(usesKeptSecret(form, entry)).toBe(true);
  expect(usesKeptSecret({ ...form, baseUrl: 'https://a.example/v2' }, entry)).toBe(true);
  expect(usesKeptSecret({ ...form, baseUrl: 'https://b.example/stac' }, entry)).toBe(false);
  expect(usesKeptSecret({ ...form, tokenUrl: 'https://b.example/token' }, entry)).toBe(false);
  expect(usesKeptSecret({ ...form, authKind: 'token' }, entry)).toBe(false);
  expect(usesKeptSecret(form, { ...entry, secretPlace: null })).toBe(false);
});

it('keeps what a catalog was set up with, where nothing of it is touched', () => {
  const { id, name, baseUrl, auth, links, maxConcurrentRequests } = entry;
  const kept = { id, name, baseUrl, auth, links, maxConcurrentRequests, s3Access: 'requester-pays' as const };
  expect(readForm(toForm({ ...entry, ...kept }))).toEqual({ draft: { ...kept, secret: null } });
});

it('offers a catalog that only the command line names as a new one, with its address', () => {
  const named = { ...entry, name: 'a.example', auth: null, isSaved: false, secretPlace: null };
  expect(readForm({ ...toForm(named), secret: 's' })).toMatchObject({
    draft: { id: null, name: 'a.example', baseUrl: entry.baseUrl, auth: { kind: 'token' }, secret: 's' },
  });
});
