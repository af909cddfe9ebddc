import type { BrowserContext, Page } from "@playwright/test";
import { frame } from "./page-steps.ts";

/** Milliseconds from a press or a click until what it changed is painted ("interaction to next paint"). */
const AIM_OF_INTERACTION_MS = 100;

/** Records from now on what users do on pages of this context: for each key press or click, its longest event. */
export function watchInteractions(context: BrowserContext): Promise<unknown> {
  return context.addInitScript(() => {
    const durations = new Map<number, number>();
    Reflect.set(globalThis, "interactions", durations);
    // TypeScript's DOM library lacks the threshold, which browsers support.
    const timed = { type: "event", durationThreshold: 16, buffered: true };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { interactionId, duration } = entry as PerformanceEventTiming;
        if (interactionId === 0) continue;
        durations.set(interactionId, Math.max(duration, durations.get(interactionId) ?? 0));
      }
    }).observe(timed);
  });
}

/** Returns the milliseconds of each interaction since the last call, without those under 16 ms, which browsers do not report. */
export async function takeInteractions(page: Page): Promise<readonly number[]> {
  // An event is reported after the frame that follows it.
  for (let drawn = 0; drawn < 3; drawn += 1) await frame(page);
  return page.evaluate(() => {
    const durations = Reflect.get(globalThis, "interactions") as Map<number, number>;
    const taken = [...durations.values()];
    durations.clear();
    return taken;
  });
}

export interface Interactions {
  readonly page: string;
  readonly what: string;
  readonly durationsMs: readonly number[];
}

/** Returns the relevant duration: the longest, or from fifty on the 98th percentile. */
export function countedMs(durationsMs: readonly number[]): number {
  const sorted = durationsMs.toSorted((left, right) => right - left);
  return sorted[Math.floor(sorted.length / 50)] ?? 0;
}

export const INTERACTION_HEAD = ["page", "what the user does", "over 16 ms", "longest, ms", "aim"];

/** Returns one row for each action, and one for each page as a whole. */
export function interactionRows(done: readonly Interactions[]): readonly (readonly string[])[] {
  const pages = [...new Set(done.map(({ page }) => page))];
  return pages.flatMap((page) => {
    const own = done.filter((each) => each.page === page);
    const all = own.flatMap(({ durationsMs }) => durationsMs);
    return [...own, { page, what: "**all of it**", durationsMs: all }].map(rowOf);
  });
}

function rowOf({ page, what, durationsMs }: Interactions): readonly string[] {
  const counted = countedMs(durationsMs);
  const longest = Math.max(0, ...durationsMs);
  const isMet = counted <= AIM_OF_INTERACTION_MS;
  return [
    page,
    what,
    String(durationsMs.length),
    longest === 0 ? "< 16" : longest.toFixed(0),
    isMet ? "met" : `**${counted.toFixed(0)} > ${AIM_OF_INTERACTION_MS}**`,
  ];
}
