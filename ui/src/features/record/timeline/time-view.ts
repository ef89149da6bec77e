/** The stretch of time that a timeline shows, and how it moves. All times are in milliseconds. */
export interface TimeView {
  readonly from: number;
  readonly to: number;
}

/** The shortest stretch that is shown: moments are known to some microseconds. */
const MIN_SPAN = 0.05;
/** The longest, as a multiple of what there is. */
const MAX_SHARE = 1.3;
/** The margin around everything, as a part of it. */
const MARGIN = 0.02;

/** Everything, with a margin on both sides. */
export function fitted(whole: TimeView): TimeView {
  const span = Math.max(whole.to - whole.from, 1);
  const middle = (whole.from + whole.to) / 2;
  const half = span * (0.5 + MARGIN);
  return { from: middle - half, to: middle + half };
}

/** Zooms by `factor` (below 1 is nearer) so that the moment `at` stays where it is. */
export function zoomed(view: TimeView, factor: number, at: number, whole: TimeView): TimeView {
  const span = view.to - view.from;
  const longest = Math.max((whole.to - whole.from) * MAX_SHARE, 10);
  const next = Math.min(Math.max(span * factor, MIN_SPAN), longest);
  const share = (at - view.from) / span;
  return within({ from: at - share * next, to: at + (1 - share) * next }, whole);
}

/** Moves by a part of the shown stretch. */
export function panned(view: TimeView, share: number, whole: TimeView): TimeView {
  const distance = (view.to - view.from) * share;
  return within({ from: view.from + distance, to: view.to + distance }, whole);
}

/** The same stretch, moved so that its end is a little after `latest`. */
export function following(view: TimeView, latest: number): TimeView {
  const span = view.to - view.from;
  const to = latest + span * MARGIN;
  return { from: to - span, to };
}

/** The same stretch, moved as little as it takes to have a bar in sight. */
export function showing(view: TimeView, from: number, to: number): TimeView {
  const span = view.to - view.from;
  const margin = span * 0.1;
  if (from >= view.from && Math.min(to, from + margin) <= view.to) return view;
  const start =
    from < view.from ? from - margin : Math.max(from - span + margin, to - span + margin);
  const shown = Math.min(start, from - margin);
  return { from: shown, to: shown + span };
}

/** Keeps at least a tenth of the view on what there is. */
function within(view: TimeView, whole: TimeView): TimeView {
  const span = view.to - view.from;
  const first = whole.from - span * 0.9;
  const last = whole.to + span * 0.9;
  const from = Math.min(Math.max(view.from, first), last - span);
  return { from, to: from + span };
}

/** Steps between two ticks above a second, in milliseconds. */
const LONG_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
].map((seconds) => seconds * 1000);

/** A mark on the axis. */
export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Marks at round moments, at least `distance` of `width` pixels apart. */
export function ticks(view: TimeView, width: number, distance: number): readonly Tick[] {
  const least = ((view.to - view.from) / Math.max(width, 1)) * distance;
  const step = stepOver(least);
  // Round in the time of the user's zone, in which the labels are.
  const zone = new Date(view.from).getTimezoneOffset() * 60_000;
  const marks: Tick[] = [];
  const first = Math.ceil((view.from - zone) / step);
  const last = Math.floor((view.to - zone) / step);
  for (let index = first; index <= last; index += 1) {
    const at = index * step + zone;
    marks.push({ at, label: tickLabel(at, step) });
  }
  return marks;
}

function stepOver(least: number): number {
  const long = LONG_STEPS.find((step) => step >= least);
  if (least > 500) return long ?? Math.ceil(least / 86_400_000) * 86_400_000;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((multiple) => multiple * power >= least) ?? 10;
  return factor * power;
}

function tickLabel(at: number, step: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  if (step >= 86_400_000) return `${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const minutes = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (step >= 60_000) return minutes;
  const seconds = `${minutes}:${two(date.getSeconds())}`;
  if (step >= 1000) return seconds;
  const digits = step >= 1 ? 3 : Math.min(6, 3 + Math.ceil(-Math.log10(step)));
  const part = ((((at % 1000) + 1000) % 1000) / 1000).toFixed(digits).slice(1);
  return `${seconds}${part}`;
}
