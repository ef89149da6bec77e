/**
 * Frames, shared out.
 *
 * Where two places of the window change within one frame, WebKit lays out everything and paints all
 * that lies between them. What moves often and by itself (a clock, the record) or is large (the
 * configuration of hundreds of servers) therefore takes a frame of its own, and what comes
 * meanwhile waits for the next.
 */

const waiting = new Set<() => void>();
let isTaken = false;

/** Runs `change` in a frame in which no other such change is drawn: now, or in one of the next. */
export function inFrameOfItsOwn(change: () => void): void {
  if (isTaken) waiting.add(change);
  else take(change);
}

/** Runs `change` at once, and keeps the frame that draws it free of other such changes. */
export function atOnceInFrame(change: () => void): void {
  if (isTaken) change();
  else take(change);
}

/** Hands on the latest of the values that come, each in a frame of its own. */
export function latestInFrame<T>(change: (value: T) => void): (value: T) => void {
  let latest: T;
  const changeToLatest = () => change(latest);
  return (value) => {
    latest = value;
    inFrameOfItsOwn(changeToLatest);
  };
}

/** Forgets a change that still waits for its frame. */
export function forgetChange(change: () => void): void {
  waiting.delete(change);
}

function take(change: () => void): void {
  isTaken = true;
  // The frame that draws the change begins with this, and is over when the timer comes.
  requestAnimationFrame(() => setTimeout(release));
  change();
}

function release(): void {
  isTaken = false;
  const [next] = waiting;
  if (next === undefined) return;
  waiting.delete(next);
  take(next);
}
