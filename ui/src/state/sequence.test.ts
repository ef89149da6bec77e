import { describe, expect, it } from 'vitest';
import type { Fact, InspectorEvent } from '@/backend/bindings';
import { FactSequence } from './sequence';

function fact(sequence: number): InspectorEvent {
  return {
    sequence,
    fact: { type: 'connection', event: { type: 'questionSettled', id: sequence, how: 'answered' } },
  };
}

function collector() {
  const seen: number[] = [];
  const sequence = new FactSequence((facts: Fact[]) => {
    for (const fact of facts) {
      if (fact.type === 'connection' && fact.event.type === 'questionSettled') {
        seen.push(fact.event.id);
      }
    }
  });
  return { seen, sequence };
}

describe('FactSequence', () => {
  it('keeps facts back until the snapshot is there', () => {
    const { seen, sequence } = collector();
    sequence.push([fact(4), fact(5)]);
    expect(seen).toEqual([]);
  });

  it('applies what came between the subscription and the snapshot once, and loses none', () => {
    const { seen, sequence } = collector();
    sequence.push([fact(4), fact(5), fact(6)]);
    sequence.begin(5);
    sequence.push([fact(7)]);
    expect(seen).toEqual([6, 7]);
  });

  it('leaves out what the snapshot already holds, also when it comes late', () => {
    const { seen, sequence } = collector();
    sequence.begin(5);
    sequence.push([fact(3), fact(5), fact(6)]);
    expect(seen).toEqual([6]);
  });

  it('applies a repeated fact once', () => {
    const { seen, sequence } = collector();
    sequence.begin(0);
    sequence.push([fact(1), fact(2)]);
    sequence.push([fact(2), fact(3)]);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('puts buffered batches in order', () => {
    const { seen, sequence } = collector();
    sequence.push([fact(3)]);
    sequence.push([fact(2)]);
    sequence.begin(1);
    expect(seen).toEqual([2, 3]);
  });
});
