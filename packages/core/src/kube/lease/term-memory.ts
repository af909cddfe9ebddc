import type { Clock } from "../../model/time.ts";
import { type ElectionTimings, giveUpAgeMs } from "./election-timings.ts";

/** A moment by both clocks: the monotonic one stands still while the machine sleeps, the wall clock can be set back. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

const LEADS = 0;
const RENEWED_MONOTONIC = 1;
const RENEWED_WALL = 2;
const HEARD = 3;
const SLOTS = 4;

/** Times are stored as whole microseconds, since only integers can be written atomically. */
const PER_MS = 1_000;

/**
 * The state of a term, in memory shared by the thread that renews the Lease and the thread that acts on it: a message would be read
 * only when the other thread has time for it.
 */
export class TermMemory {
  readonly buffer: SharedArrayBuffer;
  readonly #slots: BigInt64Array;

  constructor(
    buffer: SharedArrayBuffer = new SharedArrayBuffer(SLOTS * BigInt64Array.BYTES_PER_ELEMENT),
  ) {
    this.buffer = buffer;
    this.#slots = new BigInt64Array(buffer);
  }

  get leads(): boolean {
    return Atomics.load(this.#slots, LEADS) === 1n;
  }

  get renewed(): Moment {
    return { monotonic: this.#read(RENEWED_MONOTONIC), wall: this.#read(RENEWED_WALL) };
  }

  /** Monotonic time of the acting thread's last sign of life. */
  get heard(): number {
    return this.#read(HEARD);
  }

  /**
   * Notes that the Lease is ours from `at` on, the time before its write was sent. A reader that sees only half of
   * the update sees an older moment.
   */
  confirm(at: Moment): void {
    this.#write(RENEWED_MONOTONIC, at.monotonic);
    this.#write(RENEWED_WALL, at.wall);
    Atomics.store(this.#slots, LEADS, 1n);
  }

  /** The term is over. */
  end(): void {
    Atomics.store(this.#slots, LEADS, 0n);
  }

  hear(monotonic: number): void {
    this.#write(HEARD, monotonic);
  }

  #read(slot: number): number {
    return Number(Atomics.load(this.#slots, slot)) / PER_MS;
  }

  #write(slot: number, ms: number): void {
    Atomics.store(this.#slots, slot, BigInt(Math.round(ms * PER_MS)));
  }
}

/** What a term allows right now. */
export interface TermFence {
  /**
   * The write fence: true only while this process leads and its last confirmed renewal is more recent than the deadline for the next
   * one.
   */
  isLeader(): boolean;
  /**
   * The fence of the election's own client: false in a term that can no longer be renewed in time. For a process that was
   * stopped in the middle of a renewal, no timer has fired yet.
   */
  mayRenew(): boolean;
  /** Returns the milliseconds since the last successful renewal of the current term. */
  renewalAgeMs(): number | undefined;
}

export interface TermFenceOptions {
  readonly clock: Clock;
  readonly timings: ElectionTimings;
}

export function termFence(memory: TermMemory, { clock, timings }: TermFenceOptions): TermFence {
  const limitMs = giveUpAgeMs(timings);
  const monotonicAgeMs = () => clock.monotonic() - memory.renewed.monotonic;
  return {
    isLeader: () => {
      if (!memory.leads) return false;
      return Math.max(monotonicAgeMs(), clock.now() - memory.renewed.wall) < limitMs;
    },
    // Uses only the monotonic clock: a wall clock that is set forward must not cost a leader its
    // Lease.
    mayRenew: () => !memory.leads || monotonicAgeMs() < limitMs,
    renewalAgeMs: () => (memory.leads ? monotonicAgeMs() : undefined),
  };
}
