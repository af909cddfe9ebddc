/** One finished call on `/v1`. */
export interface RecordedCall {
  /** When it arrived, RFC 3339 with milliseconds. */
  readonly at: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The query as it was sent, without the question mark. */
  readonly query: string;
  /** 0 when the client got no answer. */
  readonly status: number;
  readonly ms: number;
  readonly requestId: string;
}

export interface OperationCount {
  /** Calls that arrived, including those still waiting for an answer. */
  readonly count: number;
  /** Answers of 400 and above except 429, and calls without an answer. */
  readonly errors: number;
  readonly throttled: number;
}

export interface CallReport {
  readonly total: number;
  readonly byOperation: Readonly<Record<string, OperationCount>>;
  /** The newest last, at most 1,000. */
  readonly recent: readonly RecordedCall[];
}

export interface CallLog {
  /** Counts a call; call the returned function once when it ends. */
  arrived(operation: string): (call: RecordedCall) => void;
  report(): CallReport;
  clear(): void;
}

const RECENT_LIMIT = 1_000;

export function createCallLog(): CallLog {
  let tally = emptyTally();
  return {
    arrived: (operation) => {
      // A call that ends after the log was cleared is counted in the old log.
      const current = tally;
      const count = current.counts.get(operation) ?? { count: 0, errors: 0, throttled: 0 };
      current.counts.set(operation, count);
      current.total += 1;
      count.count += 1;
      return (call) => {
        count.throttled += call.status === 429 ? 1 : 0;
        count.errors += isError(call.status) ? 1 : 0;
        remember(current, call);
      };
    },
    report: () => ({
      total: tally.total,
      byOperation: Object.fromEntries(
        [...tally.counts].map(([operation, count]) => [operation, { ...count }]),
      ),
      recent: tally.recent.slice(-RECENT_LIMIT),
    }),
    clear: () => {
      tally = emptyTally();
    },
  };
}

interface Tally {
  total: number;
  readonly counts: Map<string, { count: number; errors: number; throttled: number }>;
  recent: RecordedCall[];
}

function emptyTally(): Tally {
  return { total: 0, counts: new Map(), recent: [] };
}

/** Trims the list in blocks, so that a busy cloud does not copy a thousand entries per call. */
function remember(tally: Tally, call: RecordedCall): void {
  tally.recent.push(call);
  if (tally.recent.length >= 2 * RECENT_LIMIT) {
    tally.recent = tally.recent.slice(-RECENT_LIMIT);
  }
}

function isError(status: number): boolean {
  return status === 0 || (status >= 400 && status !== 429);
}
