import type { Fact, InspectorEvent } from '@/backend/bindings';

/**
 * Puts facts in order. Subscribe first and `push` whatever arrives; it is kept back until
 * `begin` says which fact the snapshot already includes. From then on each newer fact is
 * applied once, so that none is lost between the two and none counts twice.
 */
export class FactSequence {
  private waiting: InspectorEvent[] = [];
  private last: number | null = null;

  constructor(private readonly apply: (fact: Fact) => void) {}

  push(batch: InspectorEvent[]): void {
    if (this.last === null) {
      this.waiting.push(...batch);
      return;
    }
    for (const event of batch) this.take(event);
  }

  /** The snapshot holds everything up to `sequence`. */
  begin(sequence: number): void {
    this.last = sequence;
    const waiting = this.waiting.sort((one, other) => one.sequence - other.sequence);
    this.waiting = [];
    for (const event of waiting) this.take(event);
  }

  private take(event: InspectorEvent): void {
    if (this.last !== null && event.sequence <= this.last) return;
    this.last = event.sequence;
    this.apply(event.fact);
  }
}
