import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { RequestGate } from './request-gate.ts';

/** How a request may authenticate. `catalog` adds the access token if, and only if, the URL's origin is the catalog's. */
export type Auth = 'catalog' | 'none';

/** One HTTP request. `send` follows redirects, and decides about the token for each hop by its origin. */
export interface HttpRequest {
  /** Sent byte for byte: a re-encoded signed link breaks its signature. */
  url: string;
  method?: 'GET' | 'POST' | 'HEAD';
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  json?: unknown;
  auth: Auth;
  signal?: AbortSignal | undefined;
}

/** A whole answer in memory, limited in size. */
export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The URL that answered, after redirects. */
  url: string;
}

/** An answer whose body is still to be read. The caller must drain or destroy `body`. */
export interface HttpStream {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

/** The one HTTP client of the backend. */
export interface HttpClient {
  /**
   * Sends a request and reads the answer, with retries for 429 and 5xx (POST searches too: they are safe),
   * Retry-After, one renewal of a token that the catalog refuses with 401, the account's gate for `auth: 'catalog'`,
   * and a limit on the body. Any final status resolves; the caller judges it. An answer that keeps breaking off is
   * `network.offline` with `details.isBodyBroken`.
   * @throws AppError `network.offline`, `network.timeout`, `network.tls`, `network.proxy`, `http.body-too-large`,
   *   `http.unexpected-status` (too many redirects), `http.too-many-requests` (the gate is held for longer than anyone
   *   waits), `link.insecure-redirect`, `input.invalid`, `cancelled`, and those of the `TokenSource`
   */
  send(request: HttpRequest & { maxBodyBytes?: number }): Promise<HttpAnswer>;
  /**
   * Opens a body for a transfer: one attempt (and one more with a renewed token after a 401), no redirect followed,
   * no decompression, HTTP/1.1. A body that fails later emits `error`; `toNetworkError` names what it was.
   * @throws AppError `network.*`, `http.too-many-requests` (the gate), `cancelled`, and those of the `TokenSource`
   */
  open(request: HttpRequest): Promise<HttpStream>;
  /** What limits the requests of this client's account; other clients may share it. */
  readonly gate: RequestGate;
  /** Catalog requests on their way now: `gate.meter.active`. */
  readonly activeCatalogRequests: number;
  /** `gate.onActivity`. */
  onActivity(listener: () => void): () => void;
  /** `gate.setMaxRequests`. */
  setMaxCatalogRequests(count: number): void;
}

/**
 * Where access tokens come from: a token that somebody typed has `accessToken` alone, `createOAuth2Tokens` has both. Calls
 * may come by the dozen at once; a source that fetches its tokens fetches each of them once for all. Its functions stand
 * alone, so that `{ origin, ...source }` is a catalog's `Credentials`.
 */
export interface TokenSource {
  /**
   * The token now, or null when the catalog needs none. Ask before each request: it changes.
   * @throws AppError `auth.client-refused`, `auth.secret-missing`, `network.*`, `http.*`
   */
  accessToken(): Promise<string | null>;
  /**
   * Another token in place of one that the catalog refused with 401, or null when there is no other. Absent where
   * there never is. The HTTP client asks at most once for each call.
   * @throws AppError like `accessToken`
   */
  renew?(refusedToken: string): Promise<string | null>;
}

/** Who may see the access token. */
export interface Credentials extends TokenSource {
  /** Origin of the catalog (`https://host:port`); requests elsewhere never carry the token. */
  origin: string;
}
