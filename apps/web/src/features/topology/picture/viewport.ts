/** How a drawing is looked at: its origin on the screen, in pixels, and how large one of its units is. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const SCALE_MOST = 6;
const SCALE_LEAST = 0.1;
/** What is small is not blown up beyond this just because there is room. */
const FIT_MOST = 1.25;
const MARGIN = 12;
/** So large are texts read at a glance: smaller, one would have to zoom before anything else. */
const READ_LEAST = 0.9;
/** So much of a drawing stays in sight, wherever it is moved. */
const KEPT = 60;

/** The whole of a drawing in the middle; where that could not be read, its whole width from its top, or what can be read of it. */
export function fitted(drawing: Size, screen: Size): Viewport {
  const across = (screen.width - 2 * MARGIN) / Math.max(1, drawing.width);
  const down = (screen.height - 2 * MARGIN) / Math.max(1, drawing.height);
  const whole = Math.min(across, down);
  const scale = clamp(whole < READ_LEAST ? across : whole, READ_LEAST, FIT_MOST);
  return {
    scale,
    x: Math.max(MARGIN, (screen.width - drawing.width * scale) / 2),
    y: MARGIN,
  };
}

/** Larger or smaller by a factor; what is at `around`, in pixels of the screen, stays where it is. */
export function zoomedBy(
  { x, y, scale }: Viewport,
  factor: number,
  around: { readonly x: number; readonly y: number },
): Viewport {
  const next = clamp(scale * factor, SCALE_LEAST, SCALE_MOST);
  const by = next / scale;
  return { scale: next, x: around.x - (around.x - x) * by, y: around.y - (around.y - y) * by };
}

/** Moved, but never wholly out of sight. */
export function movedBy(
  view: Viewport,
  by: { readonly x: number; readonly y: number },
  { drawing, screen }: { readonly drawing: Size; readonly screen: Size },
): Viewport {
  const { scale } = view;
  return {
    scale,
    x: clamp(view.x + by.x, KEPT - drawing.width * scale, screen.width - KEPT),
    y: clamp(view.y + by.y, KEPT - drawing.height * scale, screen.height - KEPT),
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most));
}

/** A name in so many characters; its end tells it from others, so that is kept. */
export function shortened(name: string, most: number): string {
  return name.length <= most ? name : `…${name.slice(name.length - most + 1)}`;
}
