import type {
  ExchangeId,
  OperationTimeline,
  Outcome,
  Timeline,
  TimelineBar,
  TimelineBin,
} from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import { PART_KINDS } from '../operations/operation-texts';
import { arrow, type Box, bar, hatch, Lettering, type Surface } from './canvas';
import type { Palette } from './palette';
import type { TimeView } from './time-view';
import { ticks } from './time-view';
import { LANE, type TimelineModel } from './timeline-model';

/** Height of the axis in pixels. */
export const AXIS = 20;
/** Pixels between two marks of the axis. */
const TICK_DISTANCE = 96;
/** Space above and beneath a bar on its lane. */
const INSET = 3;
const HEIGHT = LANE - 2 * INSET;
/** Pixels of a bin. */
const BIN = 2;
/** Lanes of parts that are drawn. */
export const MAX_PART_LANES = 40;

/** One bar: an operation, or several that are too short to tell apart. */
export interface Hit {
  readonly operation: ExchangeId;
  readonly count: number;
  readonly outcome: Outcome;
}

/** Places moments on a width in pixels. */
function scaleOf(view: TimeView, width: number): (at: number) => number {
  const perMillisecond = width / (view.to - view.from);
  return (at) => (at - view.from) * perMillisecond;
}

/** The box of a bar. What goes on ends now, and what is out of sight just outside. */
function boxOf(
  { from, to }: { readonly from: number | null; readonly to: number | null },
  x: (at: number) => number,
  { y, width, now }: { readonly y: number; readonly width: number; readonly now: number },
): Box {
  const start = Math.max(-4, x(from ?? 0));
  const end = Math.min(width + 4, x(to ?? Math.max(now, from ?? 0)));
  return { x: start, y, width: Math.max(1.5, end - start), height: HEIGHT };
}

function drawAxis({ context, width, height }: Surface, view: TimeView, palette: Palette): void {
  const x = scaleOf(view, width);
  context.font = palette.mono;
  context.textBaseline = 'middle';
  for (const { at, label } of ticks(view, width, TICK_DISTANCE)) {
    const left = Math.round(x(at)) + 0.5;
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(left, 0);
    context.lineTo(left, height);
    context.stroke();
    context.fillStyle = palette.faint;
    context.fillText(label, left + 4, AXIS / 2);
  }
  context.strokeStyle = palette.line;
  context.beginPath();
  context.moveTo(0, AXIS - 0.5);
  context.lineTo(width, AXIS - 0.5);
  context.stroke();
}

/** Draws the axis and the lanes that are in sight. */
export function drawPlot(
  surface: Surface,
  model: TimelineModel,
  palette: Palette,
  now: number,
): void {
  const { context, width, height } = surface;
  const { timeline, view, scroll } = model;
  drawAxis(surface, view, palette);
  if (timeline === null) return;
  context.save();
  context.beginPath();
  context.rect(0, AXIS, width, height - AXIS);
  context.clip();
  const x = scaleOf(view, width);
  const top = (lane: number) => AXIS + lane * LANE - scroll + INSET;
  for (const track of timeline.tracks) {
    const line = Math.round(top(track.first + track.count) - INSET) - 0.5;
    if (line < AXIS || line > height) continue;
    context.strokeStyle = palette.line;
    context.beginPath();
    context.moveTo(0, line);
    context.lineTo(width, line);
    context.stroke();
  }
  const lettering = new Lettering(context, palette.mono);
  const binOf = binsOf(timeline, model, { x, width });
  const selected = model.selected?.operation.root.id ?? null;
  const inSight = {
    first: Math.max(0, Math.floor(scroll / LANE)),
    end: Math.ceil((scroll + height - AXIS) / LANE),
  };
  for (const [lane, { bars, bins }] of model.lanes.within(inSight)) {
    const y = top(lane);
    drawBins(context, bins, y, { binOf, palette });
    for (const one of bars) {
      // Those that follow begin later still.
      if ((one.from ?? 0) > view.to) break;
      if (one.to !== null && one.to < view.from) continue;
      const box = boxOf(one, x, { y, width, now });
      drawBar(context, one, box, { x, palette, now, lettering });
      if (one.operation === selected) {
        context.strokeStyle = palette.accent;
        context.lineWidth = 2;
        context.strokeRect(box.x - 1, box.y - 1, box.width + 2, box.height + 2);
      }
    }
  }
  const boxOn = (one: TimelineBar) => boxOf(one, x, { y: top(one.lane), width, now });
  drawArrows(context, model.selected, linkedBoxes(model, boxOn, width), palette);
  context.restore();
}

interface Drawing {
  readonly x: (at: number) => number;
  readonly palette: Palette;
  readonly now: number;
}

interface BarDrawing extends Drawing {
  readonly lettering: Lettering;
}

function drawBar(
  context: CanvasRenderingContext2D,
  one: TimelineBar,
  box: Box,
  drawing: BarDrawing,
) {
  const { palette } = drawing;
  const isOpen = one.to === null;
  bar(context, box, { colour: palette.outcome[one.outcome], isOpen });
  const end = box.x + box.width;
  drawPerson(context, one, box, drawing);
  if (one.label === '' || box.width < 20) return;
  const left = Math.max(box.x, 0) + 6;
  const isBad = one.outcome === 'error' || one.outcome === 'unanswered';
  const label = `${isBad ? '✕ ' : ''}${visibleText(one.label)}`;
  const ground = one.person.length > 0 ? palette.surface : null;
  const room = end - left - 4;
  context.fillStyle = palette.text;
  drawing.lettering.write(label, { x: left, y: box.y + box.height / 2 + 0.5, room, ground });
}

/** Hatches the times that a person took; the last goes on with its bar. */
function drawPerson(
  context: CanvasRenderingContext2D,
  { person, to: end }: Pick<TimelineBar, 'person' | 'to'>,
  box: Box,
  { x, palette, now }: Drawing,
): void {
  person.forEach(({ from, to }, index) => {
    const goesOn = end === null && index === person.length - 1;
    const left = Math.max(box.x, x(from ?? 0));
    const until = x(goesOn ? Math.max(now, to ?? 0) : (to ?? 0));
    const right = Math.min(box.x + box.width, until);
    if (right - left >= 1) hatch(context, { ...box, x: left, width: right - left }, palette);
  });
}

/** Places a bin; null for one that is out of sight. */
type BinPlace = (bin: TimelineBin) => { readonly left: number; readonly width: number } | null;

/** Places the bins of an answer, which may be for another stretch of time than the one in sight. */
function binsOf(
  { time }: Timeline,
  { laidOutWidth }: Pick<TimelineModel, 'laidOutWidth'>,
  { x, width }: { readonly x: (at: number) => number; readonly width: number },
): BinPlace {
  const from = time.from ?? 0;
  const each = ((time.to ?? 0) - from) / laidOutWidth;
  const wide = Math.max(BIN, x(from + each * BIN) - x(from)) - 0.5;
  return ({ at }) => {
    const left = x(from + at * each);
    return left > width || left + wide < 0 ? null : { left, width: Math.max(1, wide) };
  };
}

function drawBins(
  context: CanvasRenderingContext2D,
  bins: readonly TimelineBin[],
  y: number,
  { binOf, palette }: { readonly binOf: BinPlace; readonly palette: Palette },
): void {
  for (const bin of bins) {
    const place = binOf(bin);
    if (place === null) continue;
    const isBad = bin.outcome === 'error' || bin.outcome === 'unanswered';
    const inset = isBad ? 0 : 2;
    context.globalAlpha = Math.min(1, 0.45 + Math.log10(bin.count + 1) * 0.3);
    context.fillStyle = palette.outcome[bin.outcome];
    context.fillRect(place.left, y + inset, place.width, HEIGHT - 2 * inset);
  }
  context.globalAlpha = 1;
}

/**
 * The boxes of the operations between which the arrows of the selected one are. On a lane out of
 * sight they count too: the arrow shows where to look.
 */
function linkedBoxes(
  { timeline, selected }: Pick<TimelineModel, 'timeline' | 'selected'>,
  boxOn: (one: TimelineBar) => Box,
  width: number,
): ReadonlyMap<ExchangeId, Box> {
  const boxes = new Map<ExchangeId, Box>();
  const linked = new Set(selected?.arrows.flatMap(({ cause, caused }) => [cause, caused]));
  if (linked.size === 0) return boxes;
  for (const one of timeline?.bars ?? []) {
    if (!linked.has(one.operation)) continue;
    const box = boxOn(one);
    if (box.x <= width && box.x + box.width >= 0) boxes.set(one.operation, box);
  }
  return boxes;
}

/** The links of the selected operation to others of the stretch in sight. */
function drawArrows(
  context: CanvasRenderingContext2D,
  selected: OperationTimeline | null,
  places: ReadonlyMap<ExchangeId, Box>,
  palette: Palette,
): void {
  context.strokeStyle = palette.text;
  context.fillStyle = palette.text;
  for (const { cause, caused, edge } of selected?.arrows ?? []) {
    const from = places.get(cause);
    const to = places.get(caused);
    if (!from || !to) continue;
    const start = { x: Math.min(from.x + from.width, Math.max(from.x, to.x)), y: from.y + HEIGHT };
    arrow(context, start, { x: to.x, y: to.y }, edge.certainty === 'inferred');
  }
}

/** Finds what stands at a place of the plot, the middle of a lane being near enough. */
export function hitAt(
  model: TimelineModel,
  at: { readonly x: number; readonly y: number },
  width: number,
  now: number,
): Hit | null {
  const { timeline, view, scroll } = model;
  if (timeline === null || at.y < AXIS) return null;
  const lane = Math.floor((at.y - AXIS + scroll) / LANE);
  const x = scaleOf(view, width);
  const { bars, bins } = model.lanes.lane(lane);
  const one = bars.find((candidate) => {
    const box = boxOf(candidate, x, { y: 0, width, now });
    return at.x >= box.x - 2 && at.x <= box.x + box.width + 2;
  });
  if (one) return { operation: one.operation, count: 1, outcome: one.outcome };
  const from = timeline.time.from ?? 0;
  const each = ((timeline.time.to ?? 0) - from) / model.laidOutWidth;
  const bin = bins.find((candidate) => {
    const left = x(from + candidate.at * each);
    return at.x >= left - 3 && at.x <= x(from + (candidate.at + BIN) * each) + 3;
  });
  return bin ? { operation: bin.operation, count: bin.count, outcome: bin.outcome } : null;
}

/** Draws the selected operation in its parts, with arrows and its critical path. */
export function drawParts(
  { context, width }: Surface,
  detail: OperationTimeline,
  {
    view,
    palette,
    now,
  }: { readonly view: TimeView; readonly palette: Palette; readonly now: number },
): void {
  const x = scaleOf(view, width);
  const top = (lane: number) => lane * LANE + INSET;
  const parts = detail.parts.filter(({ lane }) => lane < MAX_PART_LANES);
  const boxes = parts.map((part) => boxOf(part, x, { y: top(part.lane), width, now }));
  const free = roomRightOf(parts, boxes, width);
  const lettering = new Lettering(context, palette.mono);
  parts.forEach((part, index) => {
    const box = boxes[index];
    if (!box) return;
    bar(context, box, { colour: palette.outcome[part.outcome], isOpen: part.to === null });
    // The root stands for the whole, with the time that a person took of it.
    const asked = index === 0 ? detail.operation.person : [];
    if (part.person) hatch(context, box, palette);
    drawPerson(context, { ...part, person: asked }, box, { x, palette, now });
    const kind = part.edge ? `${PART_KINDS[part.edge.kind]} · ` : '';
    const label = `${kind}${visibleText(part.method)} ${visibleText(part.target)}`.trim();
    const left = Math.max(box.x, 0);
    const isInside = !part.person && box.width - (left - box.x) > 120;
    const start = isInside ? left + 6 : Math.max(box.x + box.width, 0) + 5;
    const room = isInside ? box.x + box.width - start - 4 : (free[index] ?? 0) - start - 4;
    context.fillStyle = palette.text;
    const ground = isInside && asked.length > 0 ? palette.surface : null;
    lettering.write(label, { x: start, y: box.y + HEIGHT / 2 + 0.5, room, ground });
  });
  context.fillStyle = palette.text;
  detail.criticalPath.forEach(({ part, time }, index) => {
    const box = boxes[part];
    if (!box) return;
    const goesOn = index === 0 && parts[part]?.to === null;
    const left = Math.max(-4, x(time.from ?? 0));
    const right = Math.min(width + 4, x(goesOn ? Math.max(now, time.to ?? 0) : (time.to ?? 0)));
    if (right > left) context.fillRect(left, box.y + HEIGHT - 1, Math.max(1, right - left), 3);
  });
  context.strokeStyle = palette.faint;
  parts.forEach((part, index) => {
    const box = boxes[index];
    const from = part.parent === null ? undefined : boxes[part.parent];
    if (!box || !from || !part.edge) return;
    context.fillStyle = palette.faint;
    const start = Math.min(from.x + from.width, Math.max(from.x, box.x));
    const isDown = box.y > from.y;
    arrow(
      context,
      { x: start, y: isDown ? from.y + HEIGHT : from.y },
      { x: box.x, y: isDown ? box.y : box.y + HEIGHT },
      part.edge.certainty === 'inferred',
    );
  });
}

/** Begin of the next bar on the same lane, for each. */
function roomRightOf(
  parts: OperationTimeline['parts'],
  boxes: readonly Box[],
  width: number,
): readonly number[] {
  const order = parts.map((_, index) => index);
  order.sort((one, other) => (boxes[other]?.x ?? 0) - (boxes[one]?.x ?? 0));
  const next = new Map<number, number>();
  const room: number[] = [];
  for (const index of order) {
    const lane = parts[index]?.lane ?? 0;
    room[index] = next.get(lane) ?? width;
    next.set(lane, boxes[index]?.x ?? width);
  }
  return room;
}

/** Draws how many operations began when, over everything. */
export function drawOverview(
  { context, width, height }: Surface,
  overview: Timeline['overview'],
  palette: Palette,
): void {
  const most = Math.max(1, ...overview.map(({ count }) => count));
  const wide = width / Math.max(1, overview.length);
  overview.forEach(({ count, outcome }, index) => {
    if (count === 0) return;
    const high = Math.max(2, (Math.log(count + 1) / Math.log(most + 1)) * (height - 4));
    context.fillStyle = palette.outcome[outcome];
    context.globalAlpha = 0.75;
    context.fillRect(index * wide, height - high, Math.max(1, wide), high);
  });
  context.globalAlpha = 1;
}
