/** Long enough for what a wave ends in one turn of the event loop and the next few, and for nobody to notice. */
const LINGER_MS = 20;
/** Characters that wait at most. */
const MOST_WAITING = 65_536;

let waiting = "";
let isEndHeeded = false;

/**
 * Writes lines to stderr, those of a moment together: a write of its own costs more than making the line, and in a wave each run has one. What is
 * urgent goes out at once, with what waits before it. A process that ends by itself leaves nothing behind.
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
