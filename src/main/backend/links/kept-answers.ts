import { untilAborted } from '../http/until-aborted.ts';

const maxKept = 200;

/** The latest answers by key, each asked for once however many want it. */
export class KeptAnswers<Answer extends object> {
  readonly #kept = new Map<string, Answer>();
  readonly #onTheirWay = new Map<string, Promise<Answer>>();

  /**
   * The kept answer where it will do, else another one. `ask` is not bound to the caller's signal: others would lose
   * their answer.
   * @throws what `ask` throws, AppError `cancelled`
   */
  async get(
    key: string,
    {
      isUsable,
      ask,
      signal,
    }: { isUsable: (kept: Answer) => boolean; ask: () => Promise<Answer>; signal: AbortSignal | undefined },
  ): Promise<Answer> {
    const kept = this.#kept.get(key);
    if (kept && isUsable(kept)) return kept;
    return untilAborted(this.#onTheirWay.get(key) ?? this.#ask(key, ask), signal);
  }

  #ask(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const pending = ask()
      .then((answer) => {
        this.#keep(key, answer);
        return answer;
      })
      .finally(() => this.#onTheirWay.delete(key));
    this.#onTheirWay.set(key, pending);
    return pending;
  }

  #keep(key: string, answer: Answer): void {
    this.#kept.delete(key);
    this.#kept.set(key, answer);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
  }
}
