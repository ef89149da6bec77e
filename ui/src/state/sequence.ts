import type { Fact, InspectorEvent } from '@/backend/bindings';

/**
 * Puts facts in order. Subscribe first and `push` whatever arrives; it is kept back until
 * `begin` says which fact the snapshot already includes. From then on each newer fact is
 * applied once, so that none is lost between the two and none counts twice.
 */
export class FactSequence {
  private waiting: InspectorEvent[] = [];
  private last: number | null = null;

  /** `apply` gets the newer facts of a batch together, in their order. */
  constructor(private readonly apply: (facts: Fact[]) => void) {}

  push(batch: InspectorEvent[]): void {
    if (this.last === null) {
      this.waiting.push(...batch);
      return;
    }
    this.take(batch);
  }

  /** The snapshot holds everything up to `sequence`. */
  begin(sequence: number): void {
    this.last = sequence;
    const waiting = this.waiting.sort((one, other) => one.sequence - other.sequence);
    this.waiting = [];
    this.take(waiting);
  }

  private take(events: InspectorEvent[]): void {
    const facts: Fact[] = [];
    for (const event of events) {
      if (this.last !== null && event.sequence <= this.last) continue;
      this.last = event.sequence;
      facts.push(event.fact);
    }
    if (facts.length > 0) this.apply(facts);
  }
}
