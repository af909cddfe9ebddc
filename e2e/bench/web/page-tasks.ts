import { z } from "zod";

/** One task of the page's main thread. Thread time is its computation; wall time includes waiting for a core. */
export interface PageTask {
  readonly threadMs: number;
  readonly wallMs: number;
  /** The part of the thread time inside scripts, including layouts that they forced. */
  readonly scriptMs: number;
  /** What took most of it, in descending order, by the trace's names. */
  readonly parts: readonly { readonly name: string; readonly threadMs: number }[];
}

const eventSchema = z.looseObject({
  name: z.string(),
  ph: z.string(),
  pid: z.number(),
  tid: z.number(),
  /** Microseconds, like all times in a trace. */
  ts: z.number().default(0),
  dur: z.number().default(0),
  /** The thread's own clock; missing if it did not move. */
  tdur: z.number().default(0),
});
const traceSchema = z.object({ traceEvents: z.array(eventSchema) });
type TraceEvent = z.infer<typeof eventSchema>;

/** The outermost of these events is where a script begins. */
const SCRIPT = new Set([
  "EvaluateScript",
  "v8.evaluateModule",
  "FunctionCall",
  "FireAnimationFrame",
  "TimerFire",
  "EventDispatch",
  "RunMicrotasks",
  "XHRReadyStateChange",
  "v8.run",
  "v8.callFunction",
]);
const TASK = "RunTask";

/**
 * Returns the main-thread tasks of the page with the mark from a Chromium trace. Throws if no page has the mark, or if the trace
 * lacks thread times.
 */
export function tasksOf(trace: string, mark: string): readonly PageTask[] {
  const { traceEvents } = traceSchema.parse(JSON.parse(trace));
  const made = traceEvents.find(({ name }) => name === mark);
  if (made === undefined) throw new Error(`The trace has no mark ${mark}: it was cut, or no page.`);
  const events = traceEvents
    .filter(({ ph, pid, tid }) => ph === "X" && pid === made.pid && tid === made.tid)
    .sort((left, right) => left.ts - right.ts || right.dur - left.dur);
  const tasks: PageTask[] = [];
  for (let at = 0; at < events.length; ) {
    const task = events[at];
    if (task === undefined) break;
    const end = endOfNested(events, at);
    if (task.name === TASK) tasks.push(taskOf(task, events.slice(at + 1, end)));
    at = end;
  }
  if (tasks.every(({ threadMs }) => threadMs === 0)) {
    throw new Error(
      "The trace has no thread times, so computing and waiting cannot be told apart.",
    );
  }
  return tasks;
}

/** Returns the index of the first event after those nested in this one. */
function endOfNested(events: readonly TraceEvent[], at: number): number {
  const outer = events[at];
  const over = (outer?.ts ?? 0) + (outer?.dur ?? 0);
  let end = at + 1;
  while ((events[end]?.ts ?? Number.POSITIVE_INFINITY) < over) end += 1;
  return end;
}

function taskOf(task: TraceEvent, inside: readonly TraceEvent[]): PageTask {
  const timed = inside.filter(({ name }) => name !== TASK);
  const scripts = outermost(timed.filter(({ name }) => SCRIPT.has(name)));
  const byName = new Map<string, number>();
  for (const { name, own } of ownTimes(timed)) byName.set(name, (byName.get(name) ?? 0) + own);
  return {
    threadMs: task.tdur / 1_000,
    wallMs: task.dur / 1_000,
    scriptMs: scripts.reduce((sum, event) => sum + event.tdur, 0) / 1_000,
    parts: [...byName]
      .map(([name, own]) => ({ name, threadMs: own / 1_000 }))
      .sort((left, right) => right.threadMs - left.threadMs)
      .slice(0, 4),
  };
}

function outermost(events: readonly TraceEvent[]): readonly TraceEvent[] {
  let over = Number.NEGATIVE_INFINITY;
  return events.filter(({ ts, dur }) => {
    if (ts < over) return false;
    over = ts + dur;
    return true;
  });
}

/** Returns each event's own time, without nested events. */
function ownTimes(events: readonly TraceEvent[]) {
  const open: { over: number; own: number; name: string }[] = [];
  const all: { over: number; own: number; name: string }[] = [];
  for (const event of events) {
    while ((open.at(-1)?.over ?? Number.POSITIVE_INFINITY) <= event.ts) open.pop();
    const time = event.tdur;
    const parent = open.at(-1);
    if (parent !== undefined) parent.own -= time;
    const entry = { over: event.ts + event.dur, own: time, name: event.name };
    open.push(entry);
    all.push(entry);
  }
  return all;
}
