import type { Palette } from './palette';

/** A canvas that is ready to be drawn on, in pixels of the page. */
export interface Surface {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
}

/** The size of a canvas in pixels of the page. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Fits a canvas to its place and the display's pixels, and empties it. Without a size it is
 * measured, for which everything that changed is laid out.
 */
export function surfaceOf(canvas: HTMLCanvasElement, size?: Size): Surface | null {
  const context = canvas.getContext('2d');
  if (context === null) return null;
  const { width, height } = size ?? { width: canvas.clientWidth, height: canvas.clientHeight };
  const ratio = window.devicePixelRatio || 1;
  const wide = Math.round(width * ratio);
  const high = Math.round(height * ratio);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

/** A box in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Fills a box with slanted lines: the time of a person. */
export function hatch(context: CanvasRenderingContext2D, box: Box, palette: Palette): void {
  const { x, y, width, height } = box;
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.fillStyle = palette.surface;
  context.fillRect(x, y, width, height);
  context.strokeStyle = palette.faint;
  context.lineWidth = 1;
  context.beginPath();
  for (let left = x - height; left < x + width; left += 4) {
    context.moveTo(left, y + height);
    context.lineTo(left + height, y);
  }
  context.stroke();
  context.restore();
  context.lineWidth = 1;
  context.strokeStyle = palette.strong;
  context.strokeRect(x + 0.5, y + 0.5, Math.max(0, width - 1), height - 1);
}

interface BarLook {
  readonly colour: string;
  /** True while it goes on: its right end stays open. */
  readonly isOpen: boolean;
}

/** Pixels from which on a bar has a ground, and an edge all around. */
const WITH_GROUND = 3;
const WITH_EDGE = 8;

/**
 * Draws a bar: a light ground with an edge of its colour. A short one has the edge at its beginning
 * alone: thousands of those are in sight at a time. All is filled, since to stroke a path takes
 * several times as long.
 */
export function bar(context: CanvasRenderingContext2D, box: Box, look: BarLook): void {
  const { x, y, width, height } = box;
  context.fillStyle = look.colour;
  if (width < WITH_GROUND) {
    context.fillRect(x, y, Math.max(1, width), height);
    return;
  }
  context.globalAlpha = 0.22;
  context.fillRect(x, y, width, height);
  context.globalAlpha = 1;
  context.fillRect(x, y, 2, height);
  if (width < WITH_EDGE) return;
  context.fillRect(x + 2, y, width - 2, 1);
  context.fillRect(x + 2, y + height - 1, width - 2, 1);
  if (!look.isOpen) context.fillRect(x + width - 1, y + 1, 1, height - 2);
}

/** Writes texts in a font whose letters all have one width, which is measured once. */
export class Lettering {
  readonly #context: CanvasRenderingContext2D;
  readonly #each: number;

  constructor(context: CanvasRenderingContext2D, font: string) {
    context.textBaseline = 'middle';
    context.font = font;
    this.#context = context;
    this.#each = context.measureText('m').width;
  }

  /** Draws a text in the room that there is, cut off at its end. */
  write(
    words: string,
    at: {
      readonly x: number;
      readonly y: number;
      readonly room: number;
      /** The colour behind the text, where it would be hard to read without. */
      readonly ground?: string | null;
    },
  ): void {
    if (at.room < 14) return;
    const context = this.#context;
    let shown = words.slice(0, 200);
    let width = this.#widthOf(shown);
    if (width > at.room) {
      shown = `${shown.slice(0, Math.max(1, Math.floor(at.room / this.#each) - 1))}…`;
      width = this.#widthOf(shown);
      if (width > at.room) return;
    }
    if (at.ground) {
      const colour = context.fillStyle;
      context.fillStyle = at.ground;
      context.fillRect(at.x - 3, at.y - 5, width + 6, 9);
      context.fillStyle = colour;
    }
    context.fillText(shown, at.x, at.y);
  }

  #widthOf(text: string): number {
    return ONE_WIDTH.test(text) ? text.length * this.#each : this.#context.measureText(text).width;
  }
}

/** Letters that are in every such font; others may come from another one. */
const ONE_WIDTH = /^[\x20-\x7e…]*$/;

/** An arrow from one point down or up to another; dashed where it is inferred. */
export function arrow(
  context: CanvasRenderingContext2D,
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
  isInferred: boolean,
): void {
  const middle = (from.y + to.y) / 2;
  context.lineWidth = 1.25;
  context.setLineDash(isInferred ? [3, 3] : []);
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.bezierCurveTo(from.x, middle, to.x, middle, to.x, to.y);
  context.stroke();
  context.setLineDash([]);
  const down = to.y >= from.y ? -1 : 1;
  context.beginPath();
  context.moveTo(to.x, to.y);
  context.lineTo(to.x - 3, to.y + 5 * down);
  context.lineTo(to.x + 3, to.y + 5 * down);
  context.closePath();
  context.fill();
}
