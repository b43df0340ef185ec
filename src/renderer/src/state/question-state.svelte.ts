import type { LocalFilter } from '#shared/search/local-filter.ts';
import { readRequestText, type RequestFault } from '#shared/search/read-request-text.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { writeRequestText } from '#shared/search/write-request-text.ts';
import type { Bbox } from '#shared/stac/bbox.ts';
import type { CatalogState } from './catalog-state.svelte.ts';
import { findDraftProblem } from './find-draft-problem.ts';
import { findLosses, withoutProperty, type PropertyLoss } from './find-losses.ts';
import { fromSearchQuery } from './from-search-query.ts';
import { listProperties, nameProperty, type PropertyChoice } from './property-choices.ts';
import { emptyDraft, type DraftCondition, type SearchDraft } from './search-draft.ts';
import { toLocalFilter, toSearchQuery } from './to-search-query.ts';

/** The question that is being put together, by its controls or as JSON. */
export class QuestionState {
  readonly #catalog: CatalogState;
  #draft = $state.raw<SearchDraft>(emptyDraft);
  #view = $state.raw<Bbox | null>(null);
  /** The request as it is being typed; null while it follows the controls. */
  #typed = $state.raw<{ text: string; fault: RequestFault | null } | null>(null);
  /** The question of which this one is a part that is searched apart. */
  #wider = $state.raw<SearchDraft | null>(null);

  /** The request as it would go out now. */
  readonly query: SearchQuery = $derived.by(() => {
    // Only a question about the view becomes another one with each step of the map.
    const view = this.#draft.area.kind === 'view' ? this.#view : null;
    return toSearchQuery(this.#draft, { view });
  });
  /** What is applied here to the answer. */
  readonly localFilter: LocalFilter | null = $derived(toLocalFilter(this.#draft));
  /** The properties that can be asked for in the chosen collections; in all of them where none is chosen. */
  readonly properties: readonly PropertyChoice[] = $derived.by(() => this.#listProperties());
  /** Collections of which nothing comes back, because they lack what is asked for. */
  readonly losses: readonly PropertyLoss[] = $derived(
    findLosses(this.#draft, (collectionId, property) => this.#catalog.lacks(collectionId, property)),
  );
  /** Why the question can't be asked as it is; null when it can. */
  readonly problem: string | null = $derived(
    this.#typed?.fault
      ? `The request can’t be read, line ${this.#typed.fault.line}.`
      : findDraftProblem(this.#draft, (property) => this.nameOf(property)),
  );

  constructor(catalog: CatalogState) {
    this.#catalog = catalog;
  }

  get draft(): SearchDraft {
    return this.#draft;
  }

  /** What the map shows; null before the map is there. */
  get view(): Bbox | null {
    return this.#view;
  }

  /** The larger question to go back to; null where this is the whole. */
  get wider(): SearchDraft | null {
    return this.#wider;
  }

  /** The request as JSON: as it is being typed, or as the controls make it. */
  get requestText(): string {
    return this.#typed?.text ?? writeRequestText(this.query);
  }

  /** What is wrong with the request that is being typed. */
  get requestFault(): RequestFault | null {
    return this.#typed?.fault ?? null;
  }

  /** How a property is called. */
  nameOf(property: string): string {
    return this.properties.find(({ name }) => name === property)?.label ?? nameProperty(property);
  }

  /** Changes parts of the question. */
  edit(change: Partial<SearchDraft>): void {
    this.#become({ ...this.#draft, idle: {}, ...change });
    this.#typed = null;
  }

  /** Puts the condition in the place of the one on the same property, or after the others. */
  setCondition(condition: DraftCondition): void {
    const { conditions } = this.#draft;
    const isThere = conditions.some(({ property }) => property === condition.property);
    this.edit({
      conditions: isThere
        ? conditions.map((one) => (one.property === condition.property ? condition : one))
        : [...conditions, condition],
    });
  }

  removeCondition(property: string): void {
    this.edit({ conditions: this.#draft.conditions.filter((one) => one.property !== property) });
  }

  /** Puts another question in the place of this one: one that was saved, or asked before. */
  replace(
    query: SearchQuery,
    rest: { localFilter?: LocalFilter | null; maxItems?: number | null } = {},
  ): void {
    this.#become(fromSearchQuery(query, rest));
    this.#typed = null;
    this.#wider = null;
  }

  /** Takes the request as it is typed. The controls follow as soon as it can be read. */
  typeRequest(text: string): void {
    const reading = readRequestText(text);
    this.#typed = { text, fault: 'fault' in reading ? reading.fault : null };
    if ('fault' in reading) return;
    const { maxItems } = this.#draft;
    const before = { draft: this.#draft, view: this.#view };
    this.#become(fromSearchQuery(reading.query, { localFilter: this.localFilter, maxItems, before }));
  }

  /** Lets the request follow the controls again; what could not be read is dropped. */
  endTyping(): void {
    this.#typed = null;
  }

  /** Leaves the collections out that lose all their items. */
  leaveOut({ collectionIds }: PropertyLoss): void {
    const kept = this.#draft.collectionIds.filter((id) => !collectionIds.includes(id));
    this.edit({ collectionIds: kept });
  }

  /** Takes away what the collections lack. */
  takeAway({ property }: PropertyLoss): void {
    this.edit(withoutProperty(this.#draft, property));
  }

  /** Asks for those collections alone, without what they lack; `goBack` returns to the whole question. */
  takeApart({ property, collectionIds }: PropertyLoss): void {
    const wider = this.#wider ?? this.#draft;
    this.edit({ ...withoutProperty(this.#draft, property), collectionIds });
    this.#wider = wider;
  }

  /** Goes back to the question of which this one is a part. */
  goBack(): void {
    if (this.#wider) this.edit(this.#wider);
    this.#wider = null;
  }

  /** Takes note of what the map shows. */
  setView(view: Bbox): void {
    this.#view = view;
    // The request follows the map where it asks for what the map shows.
    if (this.#draft.area.kind === 'view' && !this.#typed?.fault) this.#typed = null;
  }

  /** Learns what can be asked of the chosen collections, so that it can be offered. */
  learnProperties(): void {
    void this.#catalog.learnQueryables(this.#draft.collectionIds);
  }

  #become(draft: SearchDraft): void {
    const isOtherChoice = draft.collectionIds.join('\n') !== this.#draft.collectionIds.join('\n');
    this.#draft = draft;
    if (isOtherChoice) this.learnProperties();
  }

  #listProperties(): PropertyChoice[] {
    const { collectionIds } = this.#draft;
    const shared = this.#catalog.queryablesOf(collectionIds) ?? [];
    const each = collectionIds.flatMap((collectionId) => {
      const queryables = this.#catalog.queryablesOf([collectionId]);
      return queryables ? [{ collectionId, queryables }] : [];
    });
    return listProperties(each, shared);
  }
}
