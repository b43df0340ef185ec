import type { Geometry } from 'geojson';
import { presentError } from '../errors/present-error.ts';
import { AppError, toAppError } from '#shared/errors/app-error.ts';
import { maxAreaFileBytes } from '#shared/geo/area-file-limit.ts';
import type { AreaReading, AreaReadings } from '#shared/geo/area-reading.ts';
import { boxOfArea, geometryOfArea, type AreaOrigin, type DraftArea } from './draft-area.ts';
import { encodeFile } from './encode-file.ts';
import type { MapState } from './map-state.svelte.ts';
import type { NoticesState } from './notices-state.svelte.ts';
import type { QuestionState } from './question-state.svelte.ts';
import type { Session, SwathClient } from './session.svelte.ts';

/** An area that a person keeps under a name. */
export type KeptArea = Awaited<
  Parameters<Parameters<SwathClient['areas']['watch']>[1]['onEvent']>[0]
>['areas'][number];

/** What was said about an area when it was taken in. */
export interface AreaRemark {
  area: DraftArea;
  words: string;
  notes: readonly string[];
}

interface AreasParts {
  question: QuestionState;
  map: MapState;
  notices: NoticesState;
}

/** Areas as they come in, by text, file or name, and those that are kept. */
export class AreasState {
  readonly #session: Session;
  readonly #parts: AreasParts;
  #kept = $state.raw<readonly KeptArea[]>([]);
  #remark = $state.raw<AreaRemark | null>(null);
  #fileProblem = $state.raw<AppError | null>(null);
  #readingFile = $state.raw<string | null>(null);
  /** A file that can be understood in several ways. */
  #offer = $state.raw<{ readings: readonly AreaReading[]; mustAsk: boolean } | null>(null);
  #abort: AbortController | null = null;

  constructor(session: Session, parts: AreasParts) {
    this.#session = session;
    this.#parts = parts;
    session.onOpen((client) => {
      client.areas.watch({}, { onEvent: ({ areas }) => (this.#kept = areas) });
    });
    parts.map.onCleared((before) => this.#offerUndo('The area was cleared', before));
  }

  /** All kept areas by name. */
  get kept(): readonly KeptArea[] {
    return this.#kept;
  }

  /** How the area in use was understood; null where it was drawn, or another one took its place. */
  get remark(): AreaRemark | null {
    return this.#remark?.area === this.#parts.question.draft.area ? this.#remark : null;
  }

  /** Why the last file could not be taken; null when it was. */
  get fileProblem(): AppError | null {
    return this.#fileProblem;
  }

  /** The name of the file that is being read. */
  get readingFile(): string | null {
    return this.#readingFile;
  }

  /** Other ways to understand the last file. */
  get offer(): { readings: readonly AreaReading[]; mustAsk: boolean } | null {
    return this.#offer;
  }

  /** Understands a text without taking it. @throws AppError `aoi.unreadable`, `aoi.too-large`, `cancelled` */
  readText(text: string, signal: AbortSignal): Promise<AreaReadings> {
    return this.#session.client.aoi.readText({ text }, { signal });
  }

  /** Reads a file and takes its area, or offers the ways to understand it. */
  async takeFile(file: File): Promise<void> {
    this.#abort?.abort();
    const { signal } = (this.#abort = new AbortController());
    this.forgetFile();
    this.#readingFile = file.name;
    try {
      if (file.size > maxAreaFileBytes) throw fileTooLarge(file);
      const content = await encodeFile(file);
      const { readings, mustAsk } = await this.#session.client.aoi.readFile(
        { name: file.name, content },
        { signal },
      );
      if (signal.aborted) return;
      this.#offer = readings.length > 1 ? { readings, mustAsk } : null;
      if (!mustAsk && readings[0]) this.take(readings[0], 'file');
    } catch (thrown) {
      if (!signal.aborted) this.#fileProblem = toAppError(thrown);
    } finally {
      if (!signal.aborted) this.#readingFile = null;
    }
  }

  /** Takes back what was said about a file. */
  forgetFile(): void {
    this.#fileProblem = null;
    this.#offer = null;
  }

  /** Makes a reading the area of the question and shows it. */
  take(reading: AreaReading, origin: 'typed' | 'file'): void {
    const { area: given, name, words, notes } = reading;
    const area: DraftArea =
      given.kind === 'box'
        ? { kind: 'box', bbox: given.bbox, name }
        : { kind: 'shape', geometry: given.geometry, origin, name };
    this.use(area);
    this.#remark = { area, words, notes };
  }

  /** Makes this the area of the question and shows it. */
  use(area: DraftArea): void {
    const { map, question } = this.#parts;
    map.endDrawing();
    question.edit({ area });
    this.zoomToArea();
  }

  /** Changes the geometry of the area in use; its name and where it came from stay. */
  reshape(geometry: Geometry, origin: AreaOrigin = 'polygon'): void {
    const { question } = this.#parts;
    const { area } = question.draft;
    const name = 'name' in area ? (area.name ?? null) : null;
    question.edit({
      area: { kind: 'shape', geometry, name, origin: area.kind === 'shape' ? area.origin : origin },
    });
  }

  /** Names the area in use. */
  nameArea(name: string): void {
    const { question } = this.#parts;
    const { area } = question.draft;
    const trimmed = name.trim();
    if (area.kind === 'shape' || area.kind === 'box') {
      question.edit({ area: { ...area, name: trimmed === '' ? null : trimmed } });
    }
  }

  /** Brings the area into view. */
  zoomToArea(): void {
    const { map, question } = this.#parts;
    const box = boxOfArea(question.draft.area);
    if (box) map.focusOn(box);
  }

  /** Asks everywhere, and says how to take that back. */
  clear(): void {
    this.forgetFile();
    this.#parts.map.endDrawing();
    this.#parts.map.setAoi(null);
  }

  /** Keeps the area in use, or the view as it is now. @throws AppError `saved.name-taken` */
  async keep(name: string): Promise<void> {
    const { question, notices } = this.#parts;
    const geometry = geometryOfArea(question.draft.area, question.view);
    if (!geometry) return;
    await this.#session.client.areas.keep({ name, geometry: asStored(geometry) });
    this.nameArea(name);
    notices.show({ tone: 'ok', text: `“${name}” is kept` });
  }

  /** Makes a kept area the area of the question. @throws AppError `saved.not-found` */
  async useKept(areaId: number): Promise<void> {
    const { name, geometry } = await this.#session.client.areas.get({ areaId });
    this.forgetFile();
    this.use({ kind: 'shape', geometry, origin: 'saved', name });
  }

  /** @throws AppError `saved.not-found`, `saved.name-taken` */
  async rename(areaId: number, name: string): Promise<void> {
    await this.#session.client.areas.rename({ areaId, name });
  }

  /** Removes a kept area, and says how to take that back. @throws AppError `saved.not-found` */
  async remove(areaId: number): Promise<void> {
    const removed = await this.#session.client.areas.remove({ areaId });
    const { notices } = this.#parts;
    const restore = async (): Promise<void> => {
      try {
        await this.#session.client.areas.keep(removed);
      } catch (thrown) {
        const { title, hint } = presentError(toAppError(thrown));
        notices.show({ tone: 'bad', text: title, hint });
      }
    };
    notices.show({
      tone: 'info',
      text: `“${removed.name}” is no longer kept`,
      action: { label: 'Undo', run: () => void restore() },
    });
  }

  #offerUndo(text: string, before: DraftArea): void {
    if (before.kind === 'everywhere' || before.kind === 'view') return;
    this.#parts.notices.show({
      tone: 'info',
      text,
      action: { label: 'Undo', run: () => this.#parts.question.edit({ area: before }) },
    });
  }
}

// What the window draws or was given passed the same schema; types of GeoJSON don't know its further members.
function asStored(geometry: Geometry): Parameters<SwathClient['areas']['keep']>[0]['geometry'] {
  return geometry as Parameters<SwathClient['areas']['keep']>[0]['geometry'];
}

function fileTooLarge({ name, size }: File): AppError {
  const why = `It has ${Math.ceil(size / 1e6).toLocaleString('en')} MB; up to ${maxAreaFileBytes / 1e6} MB are read.`;
  return new AppError('aoi.too-large', why, {
    details: { file: name, why, mend: 'Save only the area itself, or a simpler one.' },
  });
}
