import type { ConnectionEntry } from '#shared/connection/connection-list.ts';
import {
  connectionDraftSchema,
  maxRequestsOfAccount,
  type ConnectionAuth,
  type ConnectionDraft,
} from '#shared/connection/connection-settings.ts';
import type { S3Access } from '#shared/connection/s3-access.ts';
import type { LinkMode } from '#shared/transfer/transfer.ts';

/** A catalog as it is being typed. */
export interface ConnectionForm {
  id: string | null;
  baseUrl: string;
  name: string;
  authKind: ConnectionAuth['kind'];
  tokenUrl: string;
  clientId: string;
  style: 'body' | 'basic';
  /** Empty leaves the one that is kept. */
  secret: string;
  links: LinkMode;
  s3Access: S3Access;
  maxConcurrentRequests: string;
}

/** What is wrong, by field. */
export type FormProblems = Partial<Record<keyof ConnectionForm, string>>;

const emptyForm: ConnectionForm = {
  id: null,
  baseUrl: '',
  name: '',
  authKind: 'token',
  tokenUrl: '',
  clientId: '',
  style: 'body',
  secret: '',
  links: 'auto',
  s3Access: 'off',
  maxConcurrentRequests: String(maxRequestsOfAccount),
};

/** The form of a catalog that is there, or of a new one. One that only the command line names is added with its address. */
export function toForm(entry: ConnectionEntry | null): ConnectionForm {
  if (entry === null) return emptyForm;
  if (!entry.isSaved) return { ...emptyForm, baseUrl: entry.baseUrl ?? '', name: entry.name };
  const { id, baseUrl, name, auth, links, maxConcurrentRequests } = entry;
  const { tokenUrl, clientId, style } = auth?.kind === 'oauth2' ? auth : emptyForm;
  return {
    id,
    name,
    links,
    tokenUrl,
    clientId,
    style,
    baseUrl: baseUrl ?? '',
    authKind: auth?.kind ?? 'none',
    secret: '',
    s3Access: entry.s3Access ?? emptyForm.s3Access,
    maxConcurrentRequests: String(maxConcurrentRequests),
  };
}

/** Whether the kept secret of a catalog goes on to be used: it is never sent to another server than it was given for. */
export function usesKeptSecret(form: ConnectionForm, entry: ConnectionEntry | null): boolean {
  if (entry === null || entry.secretPlace === null || form.authKind !== entry.auth?.kind) return false;
  const isSameCatalog = originOf(form.baseUrl) === originOf(entry.baseUrl ?? '');
  return (
    isSameCatalog &&
    (entry.auth.kind !== 'oauth2' || originOf(form.tokenUrl) === originOf(entry.auth.tokenUrl))
  );
}

function originOf(address: string): string | null {
  return URL.parse(address.trim())?.origin ?? null;
}

/** What is sent, or what has to be put right first. */
export function readForm(form: ConnectionForm): { draft: ConnectionDraft } | { problems: FormProblems } {
  const { success, data, error } = connectionDraftSchema.safeParse({
    id: form.id,
    baseUrl: form.baseUrl,
    name: form.name.trim() === '' ? suggestName(form.baseUrl) : form.name,
    auth: readAuth(form),
    secret: form.authKind === 'none' || form.secret.trim() === '' ? null : form.secret,
    links: form.links,
    s3Access: form.s3Access,
    maxConcurrentRequests: /^\s*\d+\s*$/.test(form.maxConcurrentRequests)
      ? Number(form.maxConcurrentRequests)
      : null,
  });
  if (success) return { draft: data };
  const problems: FormProblems = {};
  const hasNoName = form.name.trim() === '';
  for (const { path, message } of error.issues) {
    const field = fieldOf(path.join('.'));
    // It has the address's name as soon as that is one.
    if (field === 'name' && hasNoName) continue;
    problems[field] ??= field === 'maxConcurrentRequests' ? requestLimitProblem : toSentence(message);
  }
  return { problems };
}

/** The field that a refusal of the program names. */
export function fieldOf(path: string): keyof ConnectionForm {
  const name = path.replace(/^auth\./, '');
  return (fields as readonly string[]).includes(name) ? (name as keyof ConnectionForm) : 'baseUrl';
}

/** The host of an address: what a catalog is called until somebody names it. */
export function suggestName(baseUrl: string): string {
  return URL.canParse(baseUrl.trim()) ? new URL(baseUrl.trim()).host : '';
}

/** A reason as a sentence of its own. */
export function toSentence(why: string): string {
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}${why.endsWith('.') ? '' : '.'}`;
}

const requestLimitProblem = `A whole number from 1 to ${maxRequestsOfAccount} is needed.`;

const fields = [
  'baseUrl',
  'name',
  'tokenUrl',
  'clientId',
  'secret',
  'maxConcurrentRequests',
] as const satisfies readonly (keyof ConnectionForm)[];

function readAuth({ authKind, tokenUrl, clientId, style }: ConnectionForm): unknown {
  return authKind === 'oauth2' ? { kind: authKind, tokenUrl, clientId, style } : { kind: authKind };
}
