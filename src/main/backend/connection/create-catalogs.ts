import { AppError } from '#shared/errors/app-error.ts';
import { demoConnectionId } from '#shared/connection/connection-settings.ts';
import type { CatalogClient } from '../catalog/catalog-client.ts';
import type { Library } from '../library/library.ts';
import { findLibraryFile } from '../library/library-file.ts';
import type { RequestGate } from '../http/request-gate.ts';
import type { Network } from '../http/network/network.ts';
import { LibraryKeeper } from '../library/upkeep/library-keeper.ts';
import type { Clock, Logger } from '../ports.ts';
import type { SettingsHolder } from '../settings/settings-holder.ts';
import { createAccountGates, type AccountGates } from './account-gates.ts';
import type { Catalogs, OpenCatalog } from './catalogs.ts';
import type { WireHabits } from '../catalog/wire-habits.ts';
import { connectCatalog } from './connect-catalog.ts';
import { createConnection, type Connection } from './connection.ts';
import type { ConnectionChoice } from './connection-choice.ts';
import { planCatalogs, type CatalogPlan } from './plan-catalogs.ts';
import type { ConnectionSecrets } from './connection-secrets.ts';

/** What the catalogs are made of. */
export interface CatalogsOptions {
  /** Each has its library there: `library-<id>.sqlite`. */
  dataDir: string;
  settings: SettingsHolder;
  secrets: ConnectionSecrets;
  /** What the command line names; null: what the settings say. */
  choice: ConnectionChoice | null;
  /** A question that any catalog answers, asked at the start and to see whether it is back. */
  probe: (catalog: CatalogClient, library: Library) => Promise<void>;
  /** How servers are reached. */
  network: Network;
  /** Whether somebody chose to let secrets cross the network readable (`SWATH_INSECURE_HTTP`). */
  isInsecureHttpAllowed: boolean;
  /** How a catalog wants its searches written, from earlier runs. */
  habitsOf: (id: string) => WireHabits;
  clock: Clock;
  logger: Logger;
}

/**
 * Opens the catalog in use and knows the others.
 * @throws AppError `connection.not-found`, `library.newer-schema`, `library.corrupt`, `library.in-use`
 */
export function createCatalogs(options: CatalogsOptions): Catalogs {
  return new KnownCatalogs(options);
}

class KnownCatalogs implements Catalogs {
  readonly #options: CatalogsOptions;
  readonly #open = new Map<string, OpenCatalog>();
  readonly #keepers = new Map<string, LibraryKeeper>();
  readonly #listeners = new Set<() => void>();
  readonly #gates: AccountGates;
  readonly #closing = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  readonly #stopFollowing: () => void;
  /** A way to a catalog that the command line names; null once a person has typed another secret for that catalog. */
  #choice: ConnectionChoice | null;
  #plans: ReadonlyMap<string, CatalogPlan>;
  #currentId: string;
  #isClosed = false;

  constructor(options: CatalogsOptions) {
    this.#options = options;
    const { plans, firstId } = planCatalogs(options);
    // One of the settings has its way from there, and may be removed.
    this.#choice = options.choice?.kind === 'saved' ? null : options.choice;
    this.#plans = plans;
    this.#currentId = firstId;
    this.#gates = createAccountGates(options.clock);
    this.#gates.follow(plans.values());
    this.open(firstId);
    this.#stopFollowing = options.settings.onChange(() => this.#follow());
  }

  get current(): OpenCatalog {
    return this.open(this.#currentId);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  list() {
    return [...this.#plans.values()].map((plan) => {
      const { id, name, links, maxRequests, settings, source } = plan;
      const status = this.find(id)?.connection.status ?? null;
      const baseUrl = source.kind === 'remote' ? source.baseUrl : (status?.baseUrl ?? null);
      return { id, name, kind: source.kind, links, maxRequests, settings, baseUrl, status };
    });
  }

  find(id: string): OpenCatalog | null {
    return this.#open.get(id) ?? null;
  }

  findKeeper(id: string): LibraryKeeper | null {
    return this.#keepers.get(id) ?? null;
  }

  findGate(baseUrl: string): RequestGate | null {
    return this.#gates.findGate(baseUrl);
  }

  open(id: string): OpenCatalog {
    const found = this.#open.get(id);
    if (found) return found;
    // Who still asks when all is closed must not open it again.
    if (this.#isClosed) throw new AppError('cancelled', 'The program is ending');
    const plan = this.#plans.get(id);
    if (!plan) throw notFound(id);
    const { clock, logger } = this.#options;
    const filePath = findLibraryFile(id, this.#options);
    const keeper = new LibraryKeeper({ filePath, clock, logger });
    this.#keepers.set(id, keeper);
    keeper.onChange(() => this.#tell());
    return this.#connect(plan, keeper.library);
  }

  select(id: string): void {
    this.open(id);
    this.#currentId = id;
    // One that only the command line names is not there at the next start.
    const isKept = id === demoConnectionId || this.#plans.get(id)?.settings !== null;
    if (isKept) this.#options.settings.change({ connectionId: id });
    this.#tell();
  }

  reconnect(id: string): void {
    if (id === this.#plan().firstId) this.#choice = null;
    this.#plans = this.#plan().plans;
    this.#connectAnew(id);
    this.#tell();
  }

  #connectAnew(id: string): void {
    const [plan, open] = [this.#plans.get(id), this.#open.get(id)];
    if (plan && open) {
      this.#end(open.connection.close());
      this.#connect(plan, open.library);
    }
  }

  #plan(): ReturnType<typeof planCatalogs> {
    return planCatalogs({ ...this.#options, choice: this.#choice });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#ending.abort();
    this.#stopFollowing();
    this.#listeners.clear();
    for (const id of [...this.#open.keys()]) this.#drop(id);
    await Promise.all(this.#closing);
  }

  #connect(plan: CatalogPlan, library: OpenCatalog['library']): OpenCatalog {
    const connection = this.#createConnection(plan, library);
    connection.onChange(() => this.#tell());
    const opened = { id: plan.id, connection, library };
    this.#open.set(plan.id, opened);
    return opened;
  }

  #createConnection(plan: CatalogPlan, library: OpenCatalog['library']): Connection {
    const { id, name, source } = plan;
    const { probe, dataDir, clock, logger, network, isInsecureHttpAllowed, habitsOf } = this.#options;
    return createConnection({
      clock,
      name,
      kind: source.kind,
      start: (signal) => {
        const gate = this.#gates.gateOf(this.#plans.get(id) ?? plan);
        return connectCatalog({
          source,
          dataDir,
          clock,
          logger,
          gate,
          network,
          isInsecureHttpAllowed,
          habits: habitsOf(id),
          signal,
          ending: this.#ending.signal,
        });
      },
      probe: (catalog) => probe(catalog, library),
    });
  }

  /** The settings have changed: some are gone, some are to be reached in another way. */
  #follow(): void {
    const before = this.#plans;
    const { plans } = this.#plan();
    this.#plans = plans;
    this.#gates.follow(plans.values());
    if (!plans.has(this.#currentId)) this.#currentId = demoConnectionId;
    for (const id of [...this.#open.keys()]) {
      const plan = plans.get(id);
      if (!plan) this.#drop(id);
      else if (plan.way !== before.get(id)?.way) this.#connectAnew(id);
    }
    this.#tell();
  }

  #drop(id: string): void {
    const open = this.#open.get(id);
    if (!open) return;
    const keeper = this.#keepers.get(id);
    this.#open.delete(id);
    this.#keepers.delete(id);
    this.#end(open.connection.close().finally(() => keeper?.close()));
  }

  #end(closing: Promise<void>): void {
    const ended = closing
      .catch((thrown: unknown) => {
        this.#options.logger.error('catalog not closed cleanly', { message: String(thrown) });
      })
      .finally(() => this.#closing.delete(ended));
    this.#closing.add(ended);
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function notFound(id: string): AppError {
  return new AppError('connection.not-found', `There is no catalog "${id}"`, {
    details: { connectionId: id },
  });
}
