import { expect, test } from 'vitest';
import type { Timeline, TimelineBar } from '@/backend/bindings';
import { AXIS, drawPlot, hitAt } from './draw';
import { LaneIndex } from './lane-index';
import type { Palette } from './palette';
import { LANE, type TimelineModel } from './timeline-model';

const PALETTE: Palette = {
  surface: '#fff',
  text: '#000',
  faint: '#888',
  line: '#ccc',
  strong: '#444',
  accent: '#00f',
  outcome: {
    pending: '#11f',
    ok: '#1f1',
    error: '#f11',
    unanswered: '#f11',
    cancelled: '#999',
    none: '#999',
  },
  font: '11px sans-serif',
  mono: '11px monospace',
};

const LANES = 40;
const BARS = 200;
/** Pixels of a bar and of what lies between two. */
const LENGTH = 4;
const STEP = 5;

/** Bars of one length on many lanes, one millisecond a pixel. */
function timelineOf(label: string, length = LENGTH, step = STEP): Timeline {
  const bars: TimelineBar[] = [];
  for (let lane = 0; lane < LANES; lane++) {
    for (let index = 0; index < BARS; index++) {
      const from = index * step;
      const operation = lane * BARS + index;
      bars.push({ lane, operation, from, to: from + length, outcome: 'ok', label, person: [] });
    }
  }
  const time = { from: 0, to: BARS * step };
  const rest = { tracks: [], bins: [], overview: [], complete: true, problem: null };
  return { time, whole: time, bars, total: bars.length, ...rest };
}

function modelOf(timeline: Timeline, scroll = 0): TimelineModel {
  const { from, to } = timeline.time;
  const view = { from: from ?? 0, to: to ?? 0 };
  const lanes = new LaneIndex(timeline);
  const laidOutWidth = view.to - view.from;
  return {
    timeline,
    lanes,
    laidOutWidth,
    view,
    scroll,
    selected: null,
  } as unknown as TimelineModel;
}

/** A context that counts what it is told to do. */
function countingContext() {
  const calls: Record<string, number> = {};
  const context = new Proxy({} as Record<string, unknown>, {
    get: (values, name: string) =>
      name in values
        ? values[name]
        : (text: string) => {
            calls[name] = (calls[name] ?? 0) + 1;
            return { width: String(text).length * 6 };
          },
  });
  return { calls, context: context as unknown as CanvasRenderingContext2D };
}

function drawn(timeline: Timeline, lanesInSight: number, scroll = 0) {
  return drawnOf(modelOf(timeline, scroll), lanesInSight);
}

function drawnOf(model: TimelineModel, lanesInSight: number) {
  const { calls, context } = countingContext();
  const width = model.view.to - model.view.from;
  const height = AXIS + lanesInSight * LANE;
  drawPlot({ context, width, height }, model, PALETTE, 0);
  return calls;
}

test('the lanes out of sight are not drawn', () => {
  const timeline = timelineOf('');
  expect(drawn(timeline, 10).fillRect).toBe(10 * BARS * 2);
  // A lane that is seen in part at either end.
  expect(drawn(timeline, 10, LANE / 2).fillRect).toBe(11 * BARS * 2);
});

test('a short bar strokes nothing', () => {
  const few = drawn(timelineOf(''), 1).stroke;
  expect(drawn(timelineOf(''), 10).stroke).toBe(few);
});

test('an arrow leads to a lane that is out of sight', () => {
  const root = { id: 0 };
  const arrows = [{ cause: 0, caused: 20 * BARS, edge: { certainty: 'certain' } }];
  const selected = { operation: { root }, arrows } as unknown as TimelineModel['selected'];
  const model = { ...modelOf(timelineOf('')), selected } as unknown as TimelineModel;
  expect(drawnOf(model, 10).bezierCurveTo).toBe(1);
});

test('letters of one width are measured once', () => {
  const calls = drawn(timelineOf('tool_1', 60, 64), 10);
  expect(calls.fillText).toBeGreaterThanOrEqual(10 * BARS);
  expect(calls.measureText).toBe(1);
});

test('the pointer finds the bar of the lane that it is at', () => {
  const model = modelOf(timelineOf(''), LANE);
  const at = { x: 3 * STEP + 3, y: AXIS + 2 * LANE + 4 };
  expect(hitAt(model, at, BARS * STEP, 0)?.operation).toBe(3 * BARS + 3);
});
