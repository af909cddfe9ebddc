export interface Interval {
  readonly from: number;
  readonly to: number;
}

export interface TimeScale {
  /** Returns the position of an instant, from 0 to 1. */
  position(at: number): number;
  /** Idle stretches that are drawn shorter than they were. */
  readonly folded: readonly Interval[];
}

/** A stretch is folded if it is idle for longer than this share of the whole … */
const FOLD_ABOVE = 0.25;
/** … and is then drawn as long as this share of the rest. */
const FOLDED_SHARE = 0.12;

/** Maps instants to the width of the drawing and folds long idle stretches. */
export function timeScale(whole: Interval, busy: readonly Interval[]): TimeScale {
  const length = Math.max(1, whole.to - whole.from);
  const folded = idleStretches(whole, busy).filter(
    (gap) => (gap.to - gap.from) / length > FOLD_ABOVE,
  );
  const idle = folded.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const shown = Math.max(1, length - idle);
  const foldWidth = shown * FOLDED_SHARE;
  const drawn = shown + folded.length * foldWidth;
  const position = (at: number): number => {
    let width = clamp(at, whole) - whole.from;
    for (const gap of folded) {
      const passed = clamp(at, gap) - gap.from;
      width += (passed / (gap.to - gap.from)) * foldWidth - passed;
    }
    return Math.min(1, width / drawn);
  };
  return { position, folded };
}

function idleStretches(whole: Interval, busy: readonly Interval[]): readonly Interval[] {
  const gaps: Interval[] = [];
  let reached = whole.from;
  for (const { from, to } of [...busy].sort((left, right) => left.from - right.from)) {
    if (from > reached) gaps.push({ from: reached, to: from });
    reached = Math.max(reached, to);
  }
  if (whole.to > reached) gaps.push({ from: reached, to: whole.to });
  return gaps;
}

/** Returns the nearest instant within the interval. */
export function clamp(at: number, { from, to }: Interval): number {
  return Math.min(Math.max(at, from), to);
}
