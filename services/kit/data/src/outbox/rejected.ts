/** Pause before an aggregate with an event that the feed rejects is offered again: doubles from the first to the last, in milliseconds. */
const FIRST_MS = 1000;
const LAST_MS = 60_000;

/** The aggregates with an event that the feed rejects, each with the time at which it is offered again. */
export class RejectedAggregates {
  readonly #pauses = new Map<string, { until: number; ms: number }>();

  get size(): number {
    return this.#pauses.size;
  }

  has(id: string): boolean {
    return this.#pauses.has(id);
  }

  mayOffer(id: string): boolean {
    return (this.#pauses.get(id)?.until ?? 0) <= performance.now();
  }

  postpone(id: string): void {
    const before = this.#pauses.get(id);
    const ms = before === undefined ? FIRST_MS : Math.min(2 * before.ms, LAST_MS);
    this.#pauses.set(id, { until: performance.now() + ms, ms });
  }

  forget(id: string): void {
    this.#pauses.delete(id);
  }

  /** Forgets all aggregates but these. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.#pauses.keys()) if (!ids.has(id)) this.#pauses.delete(id);
  }
}
