import type { Clock } from "../model/time.ts";
import type { CloudCall } from "./call-context.ts";
import type { LookupOptions } from "./lookup-port.ts";
import {
  CALL_PRIORITIES,
  type CallPriority,
  type InstanceRef,
  instanceKey,
  type Lookup,
} from "./provider.ts";

export interface LookupGatheringOptions {
  readonly clock: Clock;
  /** Batches that may be on their way at the same time. */
  readonly batches: number;
  budgetWaitMs(): number;
  /** What was found meanwhile and is young enough for the asker: it is not asked again. */
  known(ref: InstanceRef, wish: LookupOptions): Lookup | undefined;
  /** Asks the cloud; answers every ref of the batch under its `instanceKey`. */
  send(batch: LookupBatch): Promise<ReadonlyMap<string, Lookup>>;
}

/** What one call asks for many. */
export interface LookupBatch {
  readonly refs: readonly InstanceRef[];
  readonly priority: CallPriority;
  /** Aborts when nobody waits for it any more. */
  readonly signal: AbortSignal;
  /** The sender tells each call that it made, when it has ended. */
  onCall(call: CloudCall): void;
}

export interface GatheredAnswer {
  readonly outcome:
    | { readonly kind: "answered"; readonly lookup: Lookup }
    | { readonly kind: "threw"; readonly error: unknown };
  readonly calls: readonly CloudCall[];
  readonly sharedBy: number;
}

/** While a call is on its way, others that come this close together share the next one. */
const WINDOW_MS = 5;
/** So few may leave beside a call that is on its way; more wait for it, as it may show them all. */
const FEW = 3;
/** The longest that more than a few wait for a batch that gives no sign of life: it may hang. */
const PATIENCE_MS = 1_500;
/** The longest that they wait for one that does, such as a listing of many pages: a second one would slow both down. */
const LONGEST_PATIENCE_MS = 10_000;
/** The longest that a batch stays open because the budget would make it wait anyway. */
const LONGEST_OPEN_MS = 1_000;

/**
 * Collects lookups into batches. With no call on its way a batch leaves at the end of the event loop's turn, so a lone
 * lookup waits for nothing; with some on their way after a short window, unless it has grown large: then, and with all
 * of them on their way, as soon as one is back.
 */
export class LookupGathering {
  readonly #options: LookupGatheringOptions;
  readonly #sent = new Set<Batch>();
  #open: Batch | undefined;
  #leaving = false;
  #cancelPatience: () => void = () => undefined;

  constructor(options: LookupGatheringOptions) {
    this.#options = options;
  }

  /** Rejects only with the signal's reason. */
  ask(ref: InstanceRef, wish: LookupOptions, signal: AbortSignal): Promise<GatheredAnswer> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiter.batch?.drop(waiter);
        reject(signal.reason);
      };
      const answer = (gathered: GatheredAnswer) => {
        signal.removeEventListener("abort", leave);
        resolve(gathered);
      };
      const waiter: Waiter = { ref, wish, answer, batch: undefined, late: false };
      signal.addEventListener("abort", leave, { once: true });
      if (!this.#joinSent(waiter)) this.#joinOpen(waiter);
    });
  }

  /** A call that began recently enough for the asker may answer it as well. */
  #joinSent(waiter: Waiter): boolean {
    const oldest = this.#options.clock.monotonic() - waiter.wish.maxAgeMs;
    for (const batch of this.#sent) {
      if (batch.sentAt <= oldest || !batch.asksFor(waiter.ref)) continue;
      waiter.late = true;
      batch.add(waiter);
      return true;
    }
    return false;
  }

  #joinOpen(waiter: Waiter): void {
    waiter.late = false;
    this.#open ??= new Batch();
    this.#open.add(waiter);
    this.#scheduleOpen(this.#sent.size === 0 ? 0 : WINDOW_MS);
  }

  #scheduleOpen(windowMs: number): void {
    if (this.#open === undefined || this.#leaving) return;
    if (this.#sent.size >= this.#options.batches) return;
    this.#leaving = true;
    const budgetMs = Math.min(this.#options.budgetWaitMs(), LONGEST_OPEN_MS);
    const delayMs = Math.max(windowMs, budgetMs);
    if (delayMs === 0) setImmediate(() => this.#sendOpen());
    else this.#options.clock.after(delayMs, () => this.#sendOpen());
  }

  #sendOpen(): void {
    const batch = this.#open;
    this.#leaving = false;
    this.#cancelPatience();
    if (batch === undefined) return;
    this.#answerKnown(batch);
    const patienceMs = this.#patienceMs(batch);
    if (patienceMs > 0) {
      this.#cancelPatience = this.#options.clock.after(patienceMs, () => this.#sendOpen());
      return;
    }
    this.#open = undefined;
    if (batch.waiters.size === 0) return;
    this.#send(batch);
  }

  /** Milliseconds that the batch should still wait for a call that is on its way. */
  #patienceMs(batch: Batch): number {
    if (batch.waiters.size <= FEW) return 0;
    const [oldest] = this.#sent;
    if (oldest === undefined) return 0;
    const until = Math.min(oldest.heardAt + PATIENCE_MS, oldest.sentAt + LONGEST_PATIENCE_MS);
    return until - this.#options.clock.monotonic();
  }

  #send(batch: Batch): void {
    const { clock } = this.#options;
    batch.sentAt = clock.monotonic();
    batch.heardAt = batch.sentAt;
    this.#sent.add(batch);
    const sent = this.#options.send({
      refs: batch.refs(),
      priority: batch.priority(),
      signal: batch.abandoned.signal,
      onCall: (call) => {
        batch.calls.push(call);
        batch.heardAt = clock.monotonic();
      },
    });
    void sent.then(
      (answers) => this.#answer(batch, answers),
      (error: unknown) => this.#fail(batch, error),
    );
  }

  /** One listing shows the instances of many who asked while it was on its way. */
  #answerKnown(batch: Batch): void {
    const left = [...batch.waiters].filter((waiter) => {
      const lookup = this.#options.known(waiter.ref, waiter.wish);
      if (lookup === undefined) return true;
      waiter.answer({ outcome: { kind: "answered", lookup }, calls: [], sharedBy: 0 });
      return false;
    });
    if (left.length < batch.waiters.size) batch.keepOnly(left);
  }

  #answer(batch: Batch, answers: ReadonlyMap<string, Lookup>): void {
    this.#sent.delete(batch);
    const sharedBy = batch.waiters.size;
    for (const waiter of batch.waiters) {
      const lookup = answers.get(instanceKey(waiter.ref));
      if (lookup === undefined) continue;
      if (waiter.late && lookup.kind !== "found") this.#joinOpen(waiter);
      else waiter.answer({ outcome: { kind: "answered", lookup }, calls: batch.calls, sharedBy });
    }
    this.#scheduleOpen(0);
  }

  #fail(batch: Batch, error: unknown): void {
    this.#sent.delete(batch);
    const sharedBy = batch.waiters.size;
    for (const waiter of batch.waiters) {
      waiter.answer({ outcome: { kind: "threw", error }, calls: batch.calls, sharedBy });
    }
    this.#scheduleOpen(0);
  }
}

interface Waiter {
  readonly ref: InstanceRef;
  readonly wish: LookupOptions;
  readonly answer: (answer: GatheredAnswer) => void;
  batch: Batch | undefined;
  /** Joined a call that was on its way: only *found* may answer it, since negative answers are never reused. */
  late: boolean;
}

class Batch {
  readonly waiters = new Set<Waiter>();
  readonly calls: CloudCall[] = [];
  readonly abandoned = new AbortController();
  readonly #refs = new Map<string, InstanceRef>();
  sentAt = 0;
  /** When a call of it ended last. */
  heardAt = 0;

  add(waiter: Waiter): void {
    waiter.batch = this;
    this.waiters.add(waiter);
    this.#refs.set(instanceKey(waiter.ref), waiter.ref);
  }

  drop(waiter: Waiter): void {
    this.waiters.delete(waiter);
    if (this.waiters.size === 0) {
      this.abandoned.abort(new Error("Nobody waits for this lookup any more."));
    }
  }

  /** Takes out all others: they have their answer. */
  keepOnly(waiters: readonly Waiter[]): void {
    this.waiters.clear();
    this.#refs.clear();
    for (const waiter of waiters) this.add(waiter);
  }

  asksFor(ref: InstanceRef): boolean {
    return this.#refs.has(instanceKey(ref));
  }

  refs(): readonly InstanceRef[] {
    return [...this.#refs.values()];
  }

  /** That of its most urgent waiter. */
  priority(): CallPriority {
    const wanted = new Set([...this.waiters].map((waiter) => waiter.wish.priority));
    return CALL_PRIORITIES.find((priority) => wanted.has(priority)) ?? "refresh";
  }
}
