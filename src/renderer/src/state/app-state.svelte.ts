import { createContext } from 'svelte';
import { presentError } from '../errors/present-error.ts';
import { formatPlural } from '../format/format-number.ts';
import { toAppError } from '#shared/errors/app-error.ts';
import { noAssets } from '#shared/selection/asset-rule.ts';
import type { OfflineJob } from '#shared/offline/offline-job.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import type { ItemRow } from '#shared/stac/item-row.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { boxOutOfView } from '../map/view-bbox.ts';
import { AreasState } from './areas-state.svelte.ts';
import { AssetChoiceState } from './asset-choice-state.svelte.ts';
import { BasemapsState } from './basemaps-state.svelte.ts';
import { CatalogState } from './catalog-state.svelte.ts';
import { ConnectionsState } from './connections-state.svelte.ts';
import { ComparisonState } from './comparison-state.svelte.ts';
import { ConnectionState } from './connection-state.svelte.ts';
import { FindState } from './find-state.svelte.ts';
import { chooseFile } from './choose-file.ts';
import { listExportChoices } from './export-choices.ts';
import { ExchangeState } from './exchange-state.svelte.ts';
import { ItemFilesState } from './item-files-state.svelte.ts';
import { ItemState } from './item-state.svelte.ts';
import { LibraryState, type LibrarySection } from './library-state.svelte.ts';
import { MapState } from './map-state.svelte.ts';
import { NoticesState } from './notices-state.svelte.ts';
import { OrderState } from './order-state.svelte.ts';
import { wishOfPicked, wishOfShown } from './order-wishes.ts';
import { PackState } from './pack-state.svelte.ts';
import { PageNoticesState } from './page-notices-state.svelte.ts';
import { PinsState } from './pins-state.svelte.ts';
import { QueueViewState } from './queue-view-state.svelte.ts';
import { QuestionState } from './question-state.svelte.ts';
import { ReachabilityState } from './reachability-state.svelte.ts';
import { ResultsState } from './results-state.svelte.ts';
import { RulesState } from './rules-state.svelte.ts';
import { SavedState, type PastSearch } from './saved-state.svelte.ts';
import { SearchState, type AnswerFrom } from './search-state.svelte.ts';
import { SelectionState } from './selection-state.svelte.ts';
import type { Session, SwathClient } from './session.svelte.ts';
import { SettingsState } from './settings-state.svelte.ts';
import { SharingState } from './sharing-state.svelte.ts';
import { StorageState } from './storage-state.svelte.ts';
import { TakeOfflineState } from './take-offline-state.svelte.ts';
import { TransfersState } from './transfers-state.svelte.ts';
import { VerificationState } from './verification-state.svelte.ts';
import type { ViewName } from './view-names.ts';

/** Parts of the settings that other views lead to. */
export type SettingsPart = 'downloads';

type AppInfo = Awaited<ReturnType<SwathClient['app']['info']>>;

/** All state of the window, built once and given to components by context. */
export class AppState {
  readonly session: Session;
  readonly settings: SettingsState;
  readonly sharing: SharingState;
  readonly pack: PackState;
  readonly connection: ConnectionState;
  readonly reachability: ReachabilityState;
  readonly connections: ConnectionsState;
  readonly catalog: CatalogState;
  readonly question: QuestionState;
  readonly search: SearchState;
  readonly saved: SavedState;
  readonly rules: RulesState;
  readonly comparison: ComparisonState;
  readonly results: ResultsState;
  readonly selection: SelectionState;
  readonly assetChoice: AssetChoiceState;
  readonly item: ItemState;
  readonly itemFiles: ItemFilesState;
  readonly map: MapState;
  readonly areas: AreasState;
  readonly basemaps: BasemapsState;
  readonly transfers: TransfersState;
  readonly queueView: QueueViewState;
  readonly verification: VerificationState;
  readonly ordering: OrderState;
  readonly pageNotices: PageNoticesState;
  readonly exchange: ExchangeState;
  readonly library: LibraryState;
  readonly find: FindState;
  readonly pins: PinsState;
  readonly takeOffline: TakeOfflineState;
  readonly storage: StorageState;
  readonly notices = new NoticesState();
  #view = $state<ViewName>('search');
  #info = $state.raw<AppInfo | null>(null);
  /** The part of the settings that was asked for, until it is in sight. */
  askedSettings = $state<SettingsPart | null>(null);

  constructor(session: Session) {
    this.session = session;
    this.settings = new SettingsState(session);
    this.sharing = new SharingState(session);
    this.pack = new PackState(session);
    this.connection = new ConnectionState(session);
    this.reachability = new ReachabilityState(session);
    this.connections = new ConnectionsState(session);
    this.catalog = new CatalogState(session, this.connection);
    this.question = new QuestionState(this.catalog);
    this.search = new SearchState(session, this.question);
    this.saved = new SavedState(session, { question: this.question, search: this.search });
    this.rules = new RulesState(session);
    this.comparison = new ComparisonState(session, this.search);
    this.results = new ResultsState(session, this.search);
    this.selection = new SelectionState(this.results);
    this.assetChoice = new AssetChoiceState(session);
    this.item = new ItemState(session);
    this.map = new MapState(this.question);
    this.areas = new AreasState(session, this);
    this.basemaps = new BasemapsState(session, this.notices);
    this.transfers = new TransfersState(session);
    this.itemFiles = new ItemFilesState(session, this);
    this.queueView = new QueueViewState(this.transfers);
    this.verification = new VerificationState(this.transfers);
    this.pageNotices = new PageNoticesState(this);
    this.ordering = new OrderState(session);
    this.exchange = new ExchangeState(session);
    this.library = new LibraryState(session);
    this.find = new FindState(session);
    this.pins = new PinsState(session);
    this.takeOffline = new TakeOfflineState(session);
    this.storage = new StorageState(session, this.notices);
    this.reachability.onOffline(() => void this.catalog.load());
    // A catalog that was online before somebody worked offline doesn't come online again; any other does.
    this.reachability.onSwitchedOn(() => {
      if (this.connection.status === 'online') void this.catalog.load();
    });
    this.connection.onSwitch(() => this.#forgetCatalog());
    session.onOpen((client) => {
      void this.#learnHost(client);
      client.app.calls({}, { onEvent: ({ view }) => this.show(view) });
    });
  }

  get view(): ViewName {
    return this.#view;
  }

  /** What the host can do; null until it has answered. */
  get info(): AppInfo | null {
    return this.#info;
  }

  show(view: ViewName): void {
    this.#view = view;
  }

  /** Shows a part of the settings. */
  showSettings(part: SettingsPart): void {
    this.askedSettings = part;
    this.show('settings');
  }

  /** Opens a catalog in the settings, where its login can be renewed. */
  renewLogin(connectionId: string): void {
    this.connections.askedId = connectionId;
    this.show('settings');
  }

  /** Shows a part of the library. */
  showLibrary(section: LibrarySection): void {
    this.library.choose(section);
    this.show('library');
  }

  /** Asks the question anew; what was open of the last answer closes. */
  async runSearch(savedSearchId: number | null = null, from: AnswerFrom = 'auto'): Promise<void> {
    if (this.question.problem !== null) return;
    this.map.endDrawing();
    this.selection.clear();
    // The question of a saved search, however it was put together, is a look at it.
    const lookedAt = savedSearchId ?? this.saved.current?.savedSearchId ?? null;
    const isAnswered = await this.search.run(lookedAt, from);
    if (isAnswered) this.#bringIntoView(this.search.rows);
  }

  /** Puts a question in the place of the one being put together, and asks it. */
  async askQuestion(question: SavedQuestion, savedSearchId: number | null = null): Promise<void> {
    const { query, localFilter, maxItems } = question;
    this.question.replace(query, { localFilter, maxItems });
    await this.runSearch(savedSearchId);
  }

  /** Asks the question of a saved search: a look at it. */
  async askSaved(savedSearchId: number): Promise<void> {
    await this.attempt(async () => {
      await this.askQuestion(await this.saved.questionOf(savedSearchId), savedSearchId);
    });
  }

  /** Asks once more what was asked before. */
  async askAgain(searchNumber: number): Promise<void> {
    await this.attempt(async () => {
      const past = await this.saved.pastQuestionOf(searchNumber);
      await this.askQuestion({ ...past, maxItems: this.question.draft.maxItems });
    });
  }

  /** Shows a past search as it was, from the library; its question is the one being put together. */
  async openPast(
    past: Pick<PastSearch, 'searchNumber' | 'count' | 'evictedCount' | 'matched' | 'isComplete'> & {
      fileName?: string | null;
    },
  ): Promise<void> {
    const { searchNumber, count, evictedCount, matched, isComplete } = past;
    if (past.fileName != null) return this.openImported({ searchNumber, itemCount: count, evictedCount });
    await this.attempt(async () => {
      await this.#takePast(searchNumber);
      const cut = isComplete ? null : { count, matched };
      const countOfAll = this.question.localFilter === null ? count : null;
      const evicted = evictedCount > 0 ? { count: countOfAll, evictedCount } : null;
      await this.search.openPast(searchNumber, { maxItems: Math.max(1, count), cut, evicted });
      this.#bringIntoView(this.search.rows);
    });
  }

  /** Shows what a job took offline, as it came; where that was forgotten, the library answers its question. */
  async openTaken(job: OfflineJob): Promise<void> {
    await this.attempt(async () => {
      const { question, run } = await this.takeOffline.questionOf(job);
      this.show('search');
      if (run) return this.openPast(run);
      this.question.replace(question.query, { ...question, maxItems: this.question.draft.maxItems });
      await this.runSearch(null, 'library');
    });
  }

  /** Shows what is different between a past search and the run of it before. */
  async comparePast(searchNumber: number): Promise<void> {
    await this.attempt(async () => {
      await this.#takePast(searchNumber);
      await this.comparison.open(searchNumber);
      this.#bringIntoView(this.search.rows);
    });
  }

  async #takePast(searchNumber: number): Promise<void> {
    const past = await this.saved.pastQuestionOf(searchNumber);
    this.map.endDrawing();
    this.selection.clear();
    this.question.replace(past.query, { ...past, maxItems: this.question.draft.maxItems });
  }

  /** Works offline from now on, and says what becomes of what is running; or goes online again. */
  async workOffline(isOffline: boolean): Promise<void> {
    const { active } = this.transfers;
    const isDone = await this.attempt(() => this.settings.change({ isWorkingOffline: isOffline }));
    // The downloads say it themselves.
    if (!isDone || !isOffline || active.length === 0 || this.view === 'downloads') return;
    const what = `${formatPlural(active.length, 'running transfer')} ${active.length === 1 ? 'waits' : 'wait'}`;
    const text = `${what}, and will go on when you go online`;
    this.notices.show({ tone: 'info', text, isOver: () => !this.settings.current.isWorkingOffline });
  }

  /** Offers to write what is shown, or what is picked, to a file; `first` is offered first. */
  exportItems(first: 'shown' | 'picked'): void {
    const choices = listExportChoices(this);
    this.exchange.ask(first === 'picked' ? choices.toReversed() : choices);
  }

  /** Lets a person choose a file of items, and opens it. */
  async chooseFile(): Promise<void> {
    const file = await chooseFile();
    if (file) await this.openFile(file);
  }

  /** Keeps the items of a file in the library, and shows them as an answer. */
  async openFile(file: File): Promise<void> {
    const imported = await this.exchange.take(file);
    if (!imported) return;
    await this.openImported(imported);
    const { itemCount, keptCount, fileName } = imported;
    this.notices.show({
      tone: 'info',
      text: `${formatPlural(itemCount, 'item')} opened from ${fileName}`,
      hint:
        keptCount > 0
          ? `${formatPlural(keptCount, 'item')} in the library are as fresh, or have more to them, and stayed.`
          : '',
    });
  }

  /** Shows what came in a file, in its order. */
  async openImported({
    searchNumber,
    itemCount,
    evictedCount = 0,
  }: {
    searchNumber: number;
    itemCount: number;
    evictedCount?: number;
  }): Promise<void> {
    await this.attempt(async () => {
      this.show('search');
      this.map.endDrawing();
      this.selection.clear();
      const evicted = evictedCount > 0 ? { count: itemCount, evictedCount } : null;
      await this.search.openPast(searchNumber, { maxItems: Math.max(1, itemCount), evicted });
      this.#bringIntoView(this.search.rows);
    });
  }

  /** Opens an item in the place of the list. */
  openItem(ref: ItemRef): void {
    this.selection.open(ref);
    const row = this.results.rows[this.selection.openedIndex];
    if (row) this.#bringIntoView([row]);
    void this.item.load(ref);
  }

  /** Opens an item of the library, whatever the results are, and shows where it is. */
  openFound(row: ItemRow): void {
    this.find.close();
    this.show('search');
    this.selection.visit(row);
    this.#bringIntoView([row]);
    void this.item.load(row);
  }

  /** Gives all picked items back, and offers to pick them again. */
  giveAllBack(): void {
    const refs = this.selection.picked;
    this.selection.clearPicked();
    this.notices.show({
      tone: 'info',
      text: `${formatPlural(refs.length, 'item')} unpicked`,
      action: { label: 'Undo', run: () => this.selection.selectMany(refs) },
    });
  }

  /** Asks how the picked items' assets are to be downloaded. */
  orderPicked(): void {
    this.ordering.ask({ ...wishOfPicked(this), choice: this.assetChoice });
  }

  /** Asks the same for all shown items. */
  orderShown(): void {
    this.ordering.askFor(wishOfShown(this), null);
  }

  /** Asks how these assets of an item are to be downloaded. */
  orderAssets(ref: ItemRef, assetKeys: readonly string[]): void {
    const wish = { refs: [ref], title: ref.itemId, origin: { kind: 'item' } as const };
    this.ordering.askFor(wish, { ...noAssets, keys: [...assetKeys] });
  }

  /** Opens the next or the previous result. */
  openNeighbour(step: 1 | -1): void {
    const neighbour = this.selection.neighbourOfOpened(step);
    if (neighbour) this.openItem(neighbour);
  }

  /** Runs a command; when it fails, says so in words. Resolves to whether it went well. */
  async attempt(command: () => Promise<unknown>): Promise<boolean> {
    try {
      await command();
      return true;
    } catch (thrown) {
      const { title, hint } = presentError(toAppError(thrown));
      this.notices.show({ tone: 'bad', text: title, hint });
      return false;
    }
  }

  /** Results that lie elsewhere would look like none. Where one is in view, the map stays as the person left it. */
  #bringIntoView(rows: readonly ItemRow[]): void {
    const { view } = this.question;
    const box = view && boxOutOfView(rows, view);
    if (box) this.map.goTo(box);
  }

  /** What belongs to the catalog that was in use goes; where and when a person looks stays. */
  #forgetCatalog(): void {
    this.search.forget();
    this.saved.forget();
    this.selection.clear();
    this.selection.clearPicked();
    this.item.forget();
    this.catalog.forget();
    this.library.forget();
    this.find.forget();
    this.question.edit({ collectionIds: [], ids: [], conditions: [] });
  }

  async #learnHost(client: SwathClient): Promise<void> {
    try {
      this.#info = await client.app.info({});
    } catch {
      // The connection went at once; the next opening asks again.
    }
  }
}

/** The state by context: `setAppState` in App, `getAppState` in every component below it. */
export const [getAppState, setAppState] = createContext<AppState>();
