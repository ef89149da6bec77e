import { describe, expect, it } from 'vitest';
import type { ExchangeRow, Operation } from '@/backend/bindings';
import { timeScale } from '../rows/waterfall';
import { partsText } from './operation-texts';
import { durationText, personBars, timeOf, timeText } from './operation-time';

function operation(changed: Partial<Operation> = {}): Operation {
  return {
    root: { at: 1_000 } as ExchangeRow,
    parts: 3,
    outcome: 'ok',
    task: null,
    rounds: 0,
    questions: 1,
    progress: 0,
    http: 0,
    lateResult: false,
    sure: true,
    duration: 2_100,
    personTime: 1_400,
    person: [{ from: 1_500, to: 2_900 }],
    waitsForPerson: false,
    ...changed,
  };
}

describe('the time of an operation', () => {
  it('says how much of it a person took', () => {
    expect(timeText(operation(), 9_000)).toBe('2.1 s, of it 1.4 s waiting for a person');
    expect(timeText(operation({ personTime: 0 }), 9_000)).toBe('2.1 s');
  });

  it('goes on while it is under way, and is empty for what takes none', () => {
    const pending = operation({ outcome: 'pending', duration: null });
    expect(durationText(pending, 4_000)).toBe('3.0 s');
    expect(durationText(operation({ outcome: 'none', duration: null }), 0)).toBe('');
    expect(durationText(operation({ outcome: 'unanswered', duration: null }), 0)).toBe('–');
  });

  it('lets the time of a person go on who is still asked', () => {
    const waiting = operation({ outcome: 'pending', duration: null, waitsForPerson: true });
    expect(timeText(waiting, 4_000)).toBe('3.0 s, of it 2.5 s waiting for a person');
    const scale = timeScale([timeOf(waiting)], 4_000);
    expect(personBars(waiting, scale, 4_000)).toEqual([{ left: 1 / 6, width: 5 / 6 }]);
  });

  it('stretches where the person was asked', () => {
    const scale = timeScale([timeOf(operation({ duration: 2_000 }))], 9_000);
    expect(personBars(operation(), scale, 9_000)).toEqual([{ left: 0.25, width: 0.7 }]);
    expect(personBars(operation({ person: [] }), scale, 9_000)).toEqual([]);
    // A clock that was set back, and what reaches out of the screen.
    const odd = operation({
      person: [
        { from: 2_000, to: 1_000 },
        { from: 2_500, to: 9_000 },
      ],
    });
    expect(personBars(odd, scale, 9_000)).toEqual([
      { left: 0.5, width: 0 },
      { left: 0.75, width: 0.25 },
    ]);
  });
});

it('names the parts of an operation, the most telling first', () => {
  const none = operation({ questions: 0, parts: 0 });
  expect(
    partsText({
      ...none,
      rounds: 2,
      questions: 1,
      task: 'input_required',
      progress: 3,
      http: 7,
      parts: 14,
    }),
  ).toBe('2 input rounds · 1 question · task needs input · 3 progress · 1 message');
  expect(partsText({ ...none, http: 1, parts: 1 })).toBe('');
  expect(partsText(none)).toBe('');
});
