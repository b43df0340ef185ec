import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

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
   * Retry-After, a limit on requests at once for `auth: 'catalog'`, and a limit on the body. Any final status
   * resolves; the caller judges it. An answer that keeps breaking off is `network.offline` with
   * `details.isBodyBroken`.
   * @throws AppError `network.offline`, `network.timeout`, `network.tls`, `http.body-too-large`,
   *   `http.unexpected-status` (too many redirects), `link.insecure-redirect`, `input.invalid`, `cancelled`
   */
  send(request: HttpRequest & { maxBodyBytes?: number }): Promise<HttpAnswer>;
  /**
   * Opens a body for a transfer: one attempt, no redirect followed, no decompression, HTTP/1.1. A body that fails
   * later emits `error`; `toNetworkError` names what it was.
   * @throws AppError `network.offline`, `network.timeout`, `network.tls`, `cancelled`
   */
  open(request: HttpRequest): Promise<HttpStream>;
  /** Catalog requests on their way now. */
  readonly activeCatalogRequests: number;
  /** Called whenever that number changes; returns the way to stop. */
  onActivity(listener: () => void): () => void;
  /** How many catalog requests may be on their way at once. */
  setMaxCatalogRequests(count: number): void;
}

/** Who may see the access token. */
export interface Credentials {
  /** Origin of the catalog (`https://host:port`); requests elsewhere never carry the token. */
  origin: string;
  /** The token now, or null when the catalog needs none. */
  accessToken(): Promise<string | null>;
}
