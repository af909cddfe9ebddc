const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Returns the bar that a key leads to from the current one; undefined for any other key. */
export function nextStop(key: string, current: number, last: number): number | undefined {
  if (key === "Home") return 0;
  if (key === "End") return last;
  const step = STEPS[key];
  return step === undefined ? undefined : Math.min(last, Math.max(0, current + step));
}
