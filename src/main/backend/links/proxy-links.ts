import type { HttpClient } from '../http/http-client.ts';
import type { Clock } from '../ports.ts';
import { KeptAnswers } from './kept-answers.ts';
import type { LinkCalls } from './link-calls.ts';
import { readLinkExpiry } from './link-expiry.ts';
import type { CatalogPlace } from './link-targets.ts';
import { mintProxyLink } from './mint-proxy-link.ts';

/** Where a proxy led to, and when it was asked. */
interface Minted {
  url: string;
  mintedAtMs: number;
  isRenewed: boolean;
}

/** A request for where a proxy link leads to. */
export interface ProxyLinkRequest {
  proxyUrl: string;
  /** The storage refused what the proxy led to before. */
  isRenewal: boolean;
  /** Milliseconds by which the server's clock is ahead of ours. */
  serverAheadMs: number;
  signal: AbortSignal | undefined;
}

const minLeftMs = 5 * 60_000;
/** Nobody knows how long an address lives that doesn't say so. */
const maxAgeMs = 2 * 60_000;
const minApartMs = 10_000;

/**
 * What asset proxies lead to: short-lived links, kept in memory, so that one call of the proxy serves all ranges of a
 * file (downloads.md c.5).
 */
export class ProxyLinks {
  readonly #parts: { http: HttpClient; place: CatalogPlace; calls: LinkCalls; clock: Clock };
  readonly #minted = new KeptAnswers<Minted>();

  constructor(parts: { http: HttpClient; place: CatalogPlace; calls: LinkCalls; clock: Clock }) {
    this.#parts = parts;
  }

  /** @throws AppError of `mintProxyLink` and `LinkCalls.run`, `cancelled` */
  async get(request: ProxyLinkRequest): Promise<string> {
    const { proxyUrl, isRenewal, signal } = request;
    const { http, place, calls, clock } = this.#parts;
    const { url } = await this.#minted.get(proxyUrl, {
      isUsable: (kept) => this.#isUsable(kept, request),
      ask: async () => {
        const minted = await calls.run(() =>
          mintProxyLink({ proxyUrl, http, place, nowMs: clock.now(), signal: undefined }),
        );
        return { url: minted, mintedAtMs: clock.now(), isRenewed: isRenewal };
      },
      signal,
    });
    return url;
  }

  #isUsable(kept: Minted, { isRenewal, serverAheadMs }: ProxyLinkRequest): boolean {
    const nowMs = this.#parts.clock.now();
    const ageMs = nowMs - kept.mintedAtMs;
    if (ageMs < 0) return false;
    // Others were refused the same link, and one has renewed it for all.
    if (isRenewal) return kept.isRenewed && ageMs < minApartMs;
    const endMs = readLinkExpiry(kept.url);
    if (endMs === null) return ageMs < maxAgeMs;
    const leftMs = endMs - (nowMs + serverAheadMs);
    // A link may live for less than five minutes in all.
    return leftMs >= Math.min(minLeftMs, (leftMs + ageMs) / 2);
  }
}
