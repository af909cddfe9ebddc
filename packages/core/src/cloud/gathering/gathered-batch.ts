import { CALL_PRIORITIES, type CallPriority } from "../../model/call-priority.ts";
import type { CloudCall } from "../calls/call-context.ts";

export interface GatheringRequest {
  /** How old an answer may be, in milliseconds. */
  readonly maxAgeMs: number;
  /** The answering call must have started after this, in monotonic milliseconds; absent: only its age counts. */
  readonly notBefore?: number | undefined;
  readonly priority: CallPriority;
}

export interface GatheredAnswer<Answer> {
  readonly outcome:
    | { readonly kind: "answered"; readonly answer: Answer }
    | { readonly kind: "threw"; readonly error: unknown };
  readonly calls: readonly CloudCall[];
  readonly sharedBy: number;
}

/** A call answers this request if it started after the returned time, in monotonic milliseconds. */
export function oldestFor(
  { maxAgeMs, notBefore }: Pick<GatheringRequest, "maxAgeMs" | "notBefore">,
  now: number,
) {
  return Math.max(now - maxAgeMs, notBefore ?? Number.NEGATIVE_INFINITY);
}

/** A caller whose question has no answer yet. */
export interface PendingRequest<Question, Answer> {
  readonly question: Question;
  readonly request: GatheringRequest;
  readonly answer: (answer: GatheredAnswer<Answer>) => void;
  batch: Batch<Question, Answer> | undefined;
  /** Whether it joined a call in progress. */
  late: boolean;
}

/** Questions that are sent together for all that wait. Times are in monotonic milliseconds. */
export class Batch<Question, Answer> {
  readonly pending = new Set<PendingRequest<Question, Answer>>();
  readonly calls: CloudCall[] = [];
  readonly abandoned = new AbortController();
  readonly #keyOf: (question: Question) => string;
  readonly #questions = new Map<string, Question>();
  readonly openedAt: number;
  sentAt = 0;
  /** When the last of its calls ended. */
  heardAt = 0;

  constructor(keyOf: (question: Question) => string, openedAt: number) {
    this.#keyOf = keyOf;
    this.openedAt = openedAt;
  }

  add(request: PendingRequest<Question, Answer>): void {
    request.batch = this;
    this.pending.add(request);
    this.#questions.set(this.#keyOf(request.question), request.question);
  }

  drop(request: PendingRequest<Question, Answer>): void {
    this.pending.delete(request);
    if (this.pending.size === 0) {
      this.abandoned.abort(new Error("Nobody is waiting for this call any longer."));
    }
  }

  /** Removes all others, which have their answer. */
  keepOnly(pending: readonly PendingRequest<Question, Answer>[]): void {
    this.pending.clear();
    this.#questions.clear();
    for (const request of pending) this.add(request);
  }

  /** Whether the last caller has left, so that its call is being aborted. */
  get isAbandoned(): boolean {
    return this.abandoned.signal.aborted;
  }

  asksFor(question: Question): boolean {
    return this.#questions.has(this.#keyOf(question));
  }

  questions(): readonly Question[] {
    return [...this.#questions.values()];
  }

  /** Returns the priority of its most urgent caller. */
  priority(): CallPriority {
    const wanted = new Set([...this.pending].map(({ request }) => request.priority));
    return CALL_PRIORITIES.find((priority) => wanted.has(priority)) ?? "refresh";
  }
}
