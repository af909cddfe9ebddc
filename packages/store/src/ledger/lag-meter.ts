/** Measures the age of the oldest record that the database does not have yet, to the precision of a batch. */
export interface LagMeter {
  appended(nowMs: number): void;
  /** A batch was started. */
  began(nowMs: number): void;
  /** The batch is written; `isMore` says that it did not contain everything appended before it started. */
  done(isMore: boolean): void;
  /** Nothing is left to write. */
  caughtUp(): void;
  behindSince(): number | undefined;
}

export function lagMeter(): LagMeter {
  let oldestInBatch: number | undefined;
  let oldestAfterBatch: number | undefined;
  return {
    appended(nowMs) {
      oldestAfterBatch ??= nowMs;
    },
    began(nowMs) {
      if (oldestInBatch !== undefined) return;
      oldestInBatch = oldestAfterBatch ?? nowMs;
      oldestAfterBatch = undefined;
    },
    done(isMore) {
      if (isMore) oldestAfterBatch = oldestInBatch;
      oldestInBatch = undefined;
    },
    caughtUp() {
      oldestAfterBatch = undefined;
    },
    behindSince: () => oldestInBatch ?? oldestAfterBatch,
  };
}
