import type { ViewName } from './view-names.ts';

/** A short message over the window that goes by itself. */
export interface AppNotice {
  noticeId: number;
  tone: 'info' | 'ok' | 'bad';
  text: string;
  hint: string;
  /** The way to the view that shows more, where the message has nothing to add; or something to do, such as Undo. */
  action: NoticeAction | null;
  /** What it is news of: newer news of the same takes its place. */
  topic: string | null;
  /** Whether what it says holds no more: it goes then. */
  isOver: () => boolean;
  /** How often the same went wrong while it was on show. */
  count: number;
}

/** A button of a notice: it leads to a view, or runs something, or both. Either takes the notice away. */
export type NoticeAction =
  { label: string; view: ViewName; run?: () => void } | { label: string; run: () => void };

/** What a notice says; the rest has defaults. */
export type NoticeContent = Pick<AppNotice, 'tone' | 'text'> &
  Partial<Pick<AppNotice, 'hint' | 'action' | 'topic' | 'isOver'>> & {
    /** How long what it offers can be had, or it is worth a look; some seconds where nothing is said, and for ever of what went wrong. */
    lifetimeMs?: number;
  };

const shortlyMs = 8000;
// For one that is being read when its time is over.
const graceMs = 2000;
const maxNotices = 3;

/** The messages on show. */
export class NoticesState {
  #notices = $state.raw<readonly AppNotice[]>([]);
  #nextId = 1;
  #isAttended = (): boolean => false;

  get all(): readonly AppNotice[] {
    return this.#notices;
  }

  show({ lifetimeMs, ...content }: NoticeContent): void {
    const noticeId = this.#nextId++;
    const notice = { hint: '', action: null, topic: null, isOver: () => false, ...content, noticeId };
    const isSame = (shown: AppNotice): boolean => shown.text === notice.text && shown.hint === notice.hint;
    const count = 1 + (this.#notices.find(isSame)?.count ?? 0);
    const isOld = (shown: AppNotice): boolean => notice.topic !== null && shown.topic === notice.topic;
    // The same trouble again is still one trouble.
    const others = this.#notices.filter((shown) => !isSame(shown) && !isOld(shown));
    this.#notices = [...withoutOldest(others, maxNotices - 1), { ...notice, count }];
    // What went wrong stays until it was read.
    const livesForMs = lifetimeMs ?? (content.tone === 'bad' ? null : shortlyMs);
    if (livesForMs !== null) this.#endAfter(livesForMs, noticeId);
  }

  /** Says how to find out whether a person has the pointer or the keyboard on them: none goes meanwhile (WCAG 2.2.1). */
  attend(isAttended: () => boolean): void {
    this.#isAttended = isAttended;
  }

  dismiss(noticeId: number): void {
    this.#notices = this.#notices.filter((notice) => notice.noticeId !== noticeId);
  }

  /** What was said of it holds no more. */
  dismissTopic(topic: string): void {
    this.#notices = this.#notices.filter((notice) => notice.topic !== topic);
  }

  #endAfter(delayMs: number, noticeId: number): void {
    setTimeout(() => {
      if (this.#isAttended()) this.#endAfter(graceMs, noticeId);
      else this.dismiss(noticeId);
    }, delayMs);
  }
}

// What can be taken back only here goes last.
function withoutOldest(notices: readonly AppNotice[], most: number): readonly AppNotice[] {
  if (notices.length <= most) return notices;
  const oldest = notices.find(({ action }) => action === null || 'view' in action) ?? notices[0];
  return withoutOldest(
    notices.filter((notice) => notice !== oldest),
    most,
  );
}
