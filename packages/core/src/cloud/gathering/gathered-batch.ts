import { CALL_PRIORITIES, type CallPriority } from "../../model/call-priority.ts";
import type { CloudCall } from "../calls/call-context.ts";

export interface GatheringRequest {
  /** How old an answer may be, milliseconds. */
  readonly maxAgeMs: number;
  /** The call that answers must have begun after this, monotonic milliseconds; absent: its age is all that counts. */
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

/** A call answers this request if it began after that, in monotonic milliseconds. */
export function oldestFor(
  { maxAgeMs, notBefore }: Pick<GatheringRequest, "maxAgeMs" | "notBefore">,
  now: number,
) {
  return Math.max(now - maxAgeMs, notBefore ?? Number.NEGATIVE_INFINITY);
}

/** Somebody whose question has no answer yet. */
export interface PendingRequest<Question, Answer> {
  readonly question: Question;
  readonly request: GatheringRequest;
  readonly answer: (answer: GatheredAnswer<Answer>) => void;
  batch: Batch<Question, Answer> | undefined;
  /** Joined a call that was on its way. */
  late: boolean;
}

/** Questions that one sending asks for all who wait. Times are monotonic milliseconds. */
export class Batch<Question, Answer> {
  readonly pending = new Set<PendingRequest<Question, Answer>>();
  readonly calls: CloudCall[] = [];
  readonly abandoned = new AbortController();
  readonly #keyOf: (question: Question) => string;
  readonly #questions = new Map<string, Question>();
  readonly openedAt: number;
  sentAt = 0;
  /** When a call of it ended last. */
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

  /** Takes out all others: they have their answer. */
  keepOnly(pending: readonly PendingRequest<Question, Answer>[]): void {
    this.pending.clear();
    this.#questions.clear();
    for (const request of pending) this.add(request);
  }

  /** The last caller has left, and its call is being given up. */
  get isAbandoned(): boolean {
    return this.abandoned.signal.aborted;
  }

  asksFor(question: Question): boolean {
    return this.#questions.has(this.#keyOf(question));
  }

  questions(): readonly Question[] {
    return [...this.#questions.values()];
  }

  /** That of its most urgent caller. */
  priority(): CallPriority {
    const wanted = new Set([...this.pending].map(({ request }) => request.priority));
    return CALL_PRIORITIES.find((priority) => wanted.has(priority)) ?? "refresh";
  }
}
