/** Long enough for the runs that a wave ends within a few turns of the event loop, and too short to be noticed. */
const LINGER_MS = 20;
/** The maximum number of pending characters. */
const MOST_WAITING = 65_536;

let waiting = "";
let isEndHeeded = false;

/**
 * Writes lines to stderr, combining those of a moment: a separate write costs more than making the line, and in a wave each run
 * has one. Urgent lines are written immediately, after the pending ones. A process that exits normally writes all of its lines.
 */
export function toStandardError(line: string, isUrgent: boolean): void {
  const isFirst = waiting === "";
  waiting += line;
  if (isUrgent || waiting.length >= MOST_WAITING) flush();
  else if (isFirst) flushSoon();
}

function flushSoon(): void {
  setTimeout(flush, LINGER_MS).unref();
  if (isEndHeeded) return;
  isEndHeeded = true;
  process.once("exit", flush);
}

function flush(): void {
  if (waiting === "") return;
  const lines = waiting;
  waiting = "";
  process.stderr.write(lines);
}
