import type { CallPriority } from "../../model/call-priority.ts";
import type { Clock } from "../../model/time.ts";
import type { CloudCall } from "../calls/call-context.ts";
import {
  Batch,
  type GatheredAnswer,
  type GatheringRequest,
  oldestFor,
  type PendingRequest,
} from "./gathered-batch.ts";
import { FEW, ListingPace } from "./listing-pace.ts";

export interface GatheringOptions<Question, Answer> {
  readonly clock: Clock;
  /** How many batches may be in progress at the same time. */
  readonly batches: number;
  budgetWaitMs(): number;
  /** Equal questions have equal keys. */
  keyOf(question: Question): string;
  /** Returns an answer that arrived meanwhile and is fresh enough for the caller: the question is then not sent. */
  known(question: Question, wanted: GatheringRequest): Answer | undefined;
  /** Reports whether a call that started then, in monotonic milliseconds, could already see the current state. */
  mayShow(question: Question, sentAt: number): boolean;
  /** Reports whether the answer may also serve callers that asked during the call. */
  servesLate(answer: Answer): boolean;
  /** Whether an answer for many also serves later callers, so that fewer batches are better in a wave (see `ListingPace`). */
  readonly isPaced?: boolean;
  /** Asks the cloud; returns the answer to every question of the batch under its key. */
  send(batch: GatheredBatch<Question>): Promise<ReadonlyMap<string, Answer>>;
}

/** What one call requests for many. */
export interface GatheredBatch<Question> {
  readonly questions: readonly Question[];
  readonly priority: CallPriority;
  /** Aborts when nobody waits for the batch any more. */
  readonly signal: AbortSignal;
  /** The sender must report each call that it made, once it has ended. */
  onCall(call: CloudCall): void;
}

/** While a call is in progress, others that come this close together share the next one. */
const WINDOW_MS = 5;
/** The longest that more than a few wait for a batch that gives no sign of life: it may hang. */
const PATIENCE_MS = 1_500;
/** The longest that they wait for one that does, such as a listing of many pages: a second one would slow both down. */
const LONGEST_PATIENCE_MS = 10_000;
/** The longest that a batch stays open because the budget would make it wait anyway. */
const LONGEST_OPEN_MS = 1_000;

/**
 * Collects questions to the cloud into batches. Without a call in progress a batch is sent at the end of the event loop's turn,
 * so a lone question waits for nothing. With some calls in progress it is sent after a short window, unless it has grown large:
 * then, and with the maximum in progress, it is sent as soon as one is back.
 */
export class Gathering<Question, Answer> {
  readonly #options: GatheringOptions<Question, Answer>;
  readonly #sent = new Set<Batch<Question, Answer>>();
  readonly #pace: ListingPace | undefined;
  #open: Batch<Question, Answer> | undefined;
  #leaving = false;
  #cancelPatience: () => void = () => undefined;

  constructor(options: GatheringOptions<Question, Answer>) {
    this.#options = options;
    this.#pace = options.isPaced === true ? new ListingPace() : undefined;
  }

  /** Rejects only with the signal's reason. */
  ask(
    question: Question,
    wanted: GatheringRequest,
    signal: AbortSignal,
  ): Promise<GatheredAnswer<Answer>> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        pending.batch?.drop(pending);
        reject(signal.reason);
      };
      const answer = (gathered: GatheredAnswer<Answer>) => {
        signal.removeEventListener("abort", leave);
        resolve(gathered);
      };
      const pending: PendingRequest<Question, Answer> = {
        question,
        request: wanted,
        answer,
        batch: undefined,
        late: false,
      };
      signal.addEventListener("abort", leave, { once: true });
      if (!this.#joinSent(pending)) this.#joinOpen(pending);
    });
  }

  /** A call that started recently enough for the caller may answer it as well. */
  #joinSent(pending: PendingRequest<Question, Answer>): boolean {
    const { clock, mayShow } = this.#options;
    const oldest = oldestFor(pending.request, clock.monotonic());
    for (const batch of this.#sent) {
      if (batch.isAbandoned || batch.sentAt <= oldest) continue;
      if (!batch.asksFor(pending.question)) continue;
      if (!mayShow(pending.question, batch.sentAt)) continue;
      pending.late = true;
      batch.add(pending);
      return true;
    }
    return false;
  }

  #joinOpen(pending: PendingRequest<Question, Answer>): void {
    pending.late = false;
    this.#open ??= new Batch(this.#options.keyOf, this.#options.clock.monotonic());
    this.#open.add(pending);
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
    const paceMs = this.#pace?.waitMs(batch, this.#options.clock.monotonic()) ?? 0;
    const waitMs = Math.max(this.#patienceMs(batch), paceMs);
    if (waitMs > 0) {
      this.#cancelPatience = this.#options.clock.after(waitMs, () => this.#sendOpen());
      return;
    }
    this.#open = undefined;
    if (batch.pending.size === 0) return;
    this.#send(batch);
  }

  /** Returns how many milliseconds the batch should still wait for a call in progress. */
  #patienceMs(batch: Batch<Question, Answer>): number {
    if (batch.pending.size <= FEW) return 0;
    const [oldest] = this.#sent;
    if (oldest === undefined) return 0;
    const until = Math.min(oldest.heardAt + PATIENCE_MS, oldest.sentAt + LONGEST_PATIENCE_MS);
    return until - this.#options.clock.monotonic();
  }

  #send(batch: Batch<Question, Answer>): void {
    const { clock } = this.#options;
    batch.sentAt = clock.monotonic();
    batch.heardAt = batch.sentAt;
    this.#sent.add(batch);
    this.#pace?.began(batch);
    const sent = this.#options.send({
      questions: batch.questions(),
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

  /** One listing answers many questions that were asked while it was in progress. */
  #answerKnown(batch: Batch<Question, Answer>): void {
    const left = [...batch.pending].filter((pending) => {
      const answer = this.#options.known(pending.question, pending.request);
      if (answer === undefined) return true;
      pending.answer({ outcome: { kind: "answered", answer }, calls: [], sharedBy: 0 });
      return false;
    });
    if (left.length < batch.pending.size) batch.keepOnly(left);
  }

  #answer(batch: Batch<Question, Answer>, answers: ReadonlyMap<string, Answer>): void {
    const { keyOf, servesLate } = this.#options;
    this.#sent.delete(batch);
    this.#pace?.ended(batch, this.#options.clock.monotonic());
    const sharedBy = batch.pending.size;
    for (const pending of batch.pending) {
      const answer = answers.get(keyOf(pending.question));
      if (answer === undefined) continue;
      if (pending.late && !servesLate(answer)) this.#joinOpen(pending);
      else pending.answer({ outcome: { kind: "answered", answer }, calls: batch.calls, sharedBy });
    }
    this.#scheduleOpen(0);
  }

  #fail(batch: Batch<Question, Answer>, error: unknown): void {
    this.#sent.delete(batch);
    this.#pace?.ended(batch, this.#options.clock.monotonic());
    const sharedBy = batch.pending.size;
    for (const pending of batch.pending) {
      pending.answer({ outcome: { kind: "threw", error }, calls: batch.calls, sharedBy });
    }
    this.#scheduleOpen(0);
  }
}
