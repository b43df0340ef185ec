import type { HttpClient } from '../http/http-client.ts';
import { untilAborted } from '../http/until-aborted.ts';
import type { Clock } from '../ports.ts';
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
const maxKept = 200;

/**
 * What asset proxies lead to: short-lived links, kept in memory, so that one call of the proxy serves all ranges of a
 * file (downloads.md c.5).
 */
export class ProxyLinks {
  readonly #parts: { http: HttpClient; place: CatalogPlace; calls: LinkCalls; clock: Clock };
  readonly #kept = new Map<string, Minted>();
  readonly #onTheirWay = new Map<string, Promise<string>>();

  constructor(parts: { http: HttpClient; place: CatalogPlace; calls: LinkCalls; clock: Clock }) {
    this.#parts = parts;
  }

  /** @throws AppError of `mintProxyLink` and `LinkCalls.run`, `cancelled` */
  async get(request: ProxyLinkRequest): Promise<string> {
    const { proxyUrl, signal } = request;
    const kept = this.#kept.get(proxyUrl);
    if (kept && this.#isUsable(kept, request)) return kept.url;
    return untilAborted(this.#onTheirWay.get(proxyUrl) ?? this.#mint(request), signal);
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

  // Not bound to one caller's signal: the others would lose their answer.
  #mint({ proxyUrl, isRenewal }: ProxyLinkRequest): Promise<string> {
    const { http, place, calls, clock } = this.#parts;
    const pending = calls
      .run(() => mintProxyLink({ proxyUrl, http, place, nowMs: clock.now(), signal: undefined }))
      .then((url) => {
        this.#keep(proxyUrl, { url, mintedAtMs: clock.now(), isRenewed: isRenewal });
        return url;
      })
      .finally(() => this.#onTheirWay.delete(proxyUrl));
    this.#onTheirWay.set(proxyUrl, pending);
    return pending;
  }

  #keep(proxyUrl: string, minted: Minted): void {
    this.#kept.delete(proxyUrl);
    this.#kept.set(proxyUrl, minted);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
  }
}
