/** How a drawing is viewed: its origin on the screen in pixels, and its scale. */
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
/** Small drawings are not enlarged beyond this just because there is room. */
const FIT_MOST = 1.25;
const MARGIN = 12;
/** The scale at which texts are readable at a glance: below it, users would have to zoom first. */
const READ_LEAST = 0.9;
/** How many pixels of a drawing stay in sight, wherever it is moved. */
const KEPT = 60;

/** Centres the whole drawing; if that is unreadable, shows its whole width from the top, or as much as is readable. */
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

/** Scales by a factor, keeping the point `around` (in screen pixels) in place. */
export function zoomedBy(
  { x, y, scale }: Viewport,
  factor: number,
  around: { readonly x: number; readonly y: number },
): Viewport {
  const next = clamp(scale * factor, SCALE_LEAST, SCALE_MOST);
  const by = next / scale;
  return { scale: next, x: around.x - (around.x - x) * by, y: around.y - (around.y - y) * by };
}

/** Moves the drawing, but never completely out of sight. */
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

/** Shortens a name to so many characters, keeping its end, which tells it apart from others. */
export function shortened(name: string, most: number): string {
  return name.length <= most ? name : `…${name.slice(name.length - most + 1)}`;
}
