import { isLoopback } from '#shared/connection/is-loopback.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { isProxyUrl, type NetworkSettings } from '#shared/settings/network-settings.ts';
import type { Clock, Logger } from '../../ports.ts';
import { readAuthorities, trustAuthorities } from './certificate-authorities.ts';
import { findEnvironmentProxy, type Environment } from './environment-proxy.ts';
import { readPacAnswer } from './pac-answer.ts';
import { parseProxy, type ProxyServer } from './proxy-server.ts';
import { createDirectRoute, createProxyRoute, type Route } from './route.ts';

/**
 * How servers are reached: which proxy stands before them, and which certificate authorities are trusted. One for the
 * whole program; all HTTP clients are given it, for catalogs, token addresses and transfers alike.
 */
export interface Network {
  /**
   * The ways to a URL, the best first; never none. This computer is reached directly whatever the settings say.
   * @throws AppError `network.switched-off`
   */
  routesTo(url: string): Promise<readonly Route[]>;
  /** Passes over a route whose proxy can't be reached, for a few minutes, where there is another. */
  avoid(route: Route): void;
  /**
   * Goes by other settings from the next request on; requests on their way end as they began.
   * @throws AppError `input.invalid` {field: 'extraCaFile' | 'proxy', why}; then the former settings stay
   */
  change(settings: NetworkSettings): Promise<void>;
  /** Whether settings can be used; changes nothing. @throws AppError as `change` does */
  check(settings: NetworkSettings): Promise<void>;
  /** Whether it is switched off: then nothing goes out, whoever asks. */
  readonly isOff: boolean;
  /** Switches it off or on again. What is on its way breaks off with `network.switched-off`. */
  switchOff(isOff: boolean): void;
  /** Called when it is switched off; returns the way to stop. */
  onOff(listener: () => void): () => void;
  /** What is wrong with the extra certificate file since the start; null when nothing is. */
  readonly problem: AppError | null;
}

/** What the network is made of. */
export interface NetworkOptions {
  settings: NetworkSettings;
  env: Environment;
  clock: Clock;
  logger: Logger;
  /** The system's proxy settings, where the host can ask them (`DesktopPort.resolveProxy`). */
  resolveProxy?: ((url: string) => Promise<string>) | undefined;
  /** `user:password` of the manual proxy, from the secret store; null where it wants none. */
  proxyLogin?: (() => Promise<string | null>) | undefined;
}

/** A proxy that was out of reach is passed over for this long, as browsers do. */
const avoidMs = 5 * 60_000;
/** The system's settings are asked again after this long: a laptop moves between networks. */
const resolvedForMs = 30_000;

/** What a request ends with while the network is switched off. */
export function switchedOffError(): AppError {
  return new AppError('network.switched-off', 'The network is switched off: somebody works offline', {
    retryable: true,
  });
}

/** Never throws: a bad setting shows when it is needed. System authorities are read at the first https request. */
export function createNetwork(options: NetworkOptions): Network {
  return new RunningNetwork(options);
}

/** What belongs to one set of settings. */
interface State {
  settings: NetworkSettings;
  direct: Route;
  routes: Map<string, Route>;
  resolved: Map<string, { atMs: number; ways: Promise<Way[]> }>;
  manual: Promise<Way> | null;
  trusted: Promise<void> | null;
}

/** A proxy, or null for the direct way. */
type Way = ProxyServer | null;

class RunningNetwork implements Network {
  readonly #options: NetworkOptions;
  readonly #avoidedAtMs = new Map<string, number>();
  #state: State;
  problem: AppError | null = null;
  readonly #offListeners = new Set<() => void>();
  #isOff = false;

  constructor(options: NetworkOptions) {
    this.#options = options;
    this.#state = createState(options.settings);
  }

  get isOff(): boolean {
    return this.#isOff;
  }

  switchOff(isOff: boolean): void {
    const wasOff = this.#isOff;
    this.#isOff = isOff;
    if (isOff && !wasOff) for (const listener of [...this.#offListeners]) listener();
  }

  onOff(listener: () => void): () => void {
    this.#offListeners.add(listener);
    return () => void this.#offListeners.delete(listener);
  }

  async routesTo(url: string): Promise<readonly Route[]> {
    this.#refuseWhenOff();
    const state = this.#state;
    const ways = await this.#waysTo(url, state);
    const isSecure = url.toLowerCase().startsWith('https:') || ways.some((way) => way?.protocol === 'https');
    if (isSecure) await (state.trusted ??= this.#trust(state.settings));
    const routes = ways.map((way) => routeBy(way, state));
    // Finding them may have taken a while.
    this.#refuseWhenOff();
    const reachable = routes.filter(({ proxy }) => proxy === null || !this.#isAvoided(proxy));
    return reachable.length > 0 ? reachable : routes;
  }

  #refuseWhenOff(): void {
    if (this.#isOff) throw switchedOffError();
  }

  avoid({ proxy }: Route): void {
    if (proxy !== null) this.#avoidedAtMs.set(proxy, this.#options.clock.now());
  }

  async check(settings: NetworkSettings): Promise<void> {
    await readUsable(settings);
  }

  async change(settings: NetworkSettings): Promise<void> {
    trustAuthorities(await readUsable(settings));
    this.problem = null;
    this.#avoidedAtMs.clear();
    this.#state = { ...createState(settings), trusted: Promise.resolve() };
  }

  // A file that has gone bad since it was chosen must not stop requests that can do without it.
  async #trust({ extraCaFile }: NetworkSettings): Promise<void> {
    let extra: string[] = [];
    try {
      if (extraCaFile !== null) extra = await readAuthorities(extraCaFile);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.problem = error;
      this.#options.logger.warn('network.extra-ca', { code: error.code, message: error.message });
    }
    const isTrusted = trustAuthorities(extra);
    if (!isTrusted) this.#options.logger.warn('network.system-ca', { why: 'this runtime cannot use them' });
  }

  async #waysTo(url: string, state: State): Promise<Way[]> {
    const { hostname, origin } = new URL(url);
    const { proxy } = state.settings;
    if (proxy.mode === 'none' || isLoopback(hostname.replace(/\.$/, ''))) return [null];
    if (proxy.mode === 'manual') {
      state.manual ??= this.#manualProxy(proxy.url, state);
      return [await state.manual];
    }
    const nowMs = this.#options.clock.now();
    const known = state.resolved.get(origin);
    if (known && Math.abs(nowMs - known.atMs) < resolvedForMs) return known.ways;
    // Only the origin: a PAC script, which may come from elsewhere, needs no signed link.
    const ways = this.#systemWays(`${origin}/`);
    for (const [other, { atMs }] of state.resolved) {
      if (Math.abs(nowMs - atMs) >= resolvedForMs) state.resolved.delete(other);
    }
    state.resolved.set(origin, { atMs: nowMs, ways });
    return ways;
  }

  async #systemWays(url: string): Promise<Way[]> {
    const { env, logger, resolveProxy } = this.#options;
    const answer = await resolveProxy?.(url).catch((error: unknown) => {
      logger.warn('network.resolve-proxy', { message: String(error) });
      return '';
    });
    const ways = readPacAnswer(answer ?? '');
    // A system without a proxy says DIRECT; what the environment says was meant for this program.
    return ways.some((way) => way !== null) ? ways : [findEnvironmentProxy(url, env)];
  }

  async #manualProxy(address: string, state: State): Promise<Way> {
    const proxy = parseProxy(address);
    const { logger, proxyLogin } = this.#options;
    const found = await proxyLogin?.().catch((error: unknown) => {
      logger.warn('network.proxy-login', { message: String(error) });
      // A store that is locked may be open for the next request.
      state.manual = null;
      return null;
    });
    const login = found ?? null;
    if (proxy === null || login === null) return proxy;
    const [user = '', ...password] = login.split(':');
    return { ...proxy, login: { user, password: password.join(':') } };
  }

  #isAvoided(proxy: string): boolean {
    return Math.abs(this.#options.clock.now() - (this.#avoidedAtMs.get(proxy) ?? -Infinity)) < avoidMs;
  }
}

/** The authorities of usable settings. */
async function readUsable({ proxy, extraCaFile }: NetworkSettings): Promise<string[]> {
  if (proxy.mode === 'manual' && !isProxyUrl(proxy.url)) {
    const why = 'it is not the address of a proxy, such as http://proxy.example:3128';
    throw new AppError('input.invalid', `The proxy can't be used: ${why}`, {
      details: { field: 'proxy', why },
    });
  }
  return extraCaFile === null ? [] : readAuthorities(extraCaFile);
}

function createState(settings: NetworkSettings): State {
  const direct = createDirectRoute();
  return { settings, direct, routes: new Map(), resolved: new Map(), manual: null, trusted: null };
}

function routeBy(way: Way, state: State): Route {
  if (way === null) return state.direct;
  const key = JSON.stringify(way);
  const route = state.routes.get(key) ?? createProxyRoute(way);
  state.routes.set(key, route);
  return route;
}
