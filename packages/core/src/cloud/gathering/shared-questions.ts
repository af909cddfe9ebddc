import type { Clock } from "../../model/time.ts";
import type { CloudCall } from "../calls/call-context.ts";
import { stepOfCall, stepWithoutAnswer } from "../calls/step-of-call.ts";
import type { LookupRun } from "../ports.ts";
import type { GatheredAnswer, GatheringRequest } from "./gathered-batch.ts";
import { type GatheredBatch, Gathering, type GatheringOptions } from "./gathering.ts";

export interface SharedQuestionsOptions<Question, Answer>
  extends Omit<GatheringOptions<Question, Answer>, "batches" | "budgetWaitMs"> {
  readonly clock: Clock;
  /** Batches that may be on their way at the same time; 4 unless given. */
  readonly batches?: number | undefined;
  /** Milliseconds that the budget makes a call wait now: questions go on gathering meanwhile. */
  budgetWaitMs?: (() => number) | undefined;
  /** How one that may have held up others is asked apart from them; absent where there are no others. */
  readonly apart?: {
    /** Whether no answer came in time. */
    isTimeout(answer: Answer): boolean;
    /** Asks for one alone, with a call of its own. */
    ask(run: LookupRun, question: Question, request: GatheringRequest): Promise<Answer>;
  };
  /** What is asked, for the step of a run that ended before the answer came: `look up instance`, `w-1`. */
  named(question: Question): { readonly operation: string; readonly target: string };
  /** Notified of every question that was answered, for the budget's figures. Must not throw. */
  onLookup?: ((lookup: LookupReport) => void) | undefined;
}

/** How one question to the cloud was answered. */
export interface LookupReport {
  /** `look up instance`. */
  readonly what: string;
  /** By what was known already. */
  readonly withoutCall: boolean;
  /** How many questions the same calls answered. */
  readonly sharedBy: number;
}

/** One for a listing, which may take long, and some so that a few questions need not wait for it or for one that hangs. */
const DEFAULT_BATCHES = 4;
/** A batch whose provider reads one by one would else put its hundreds of calls into each of its runs. */
const MOST_STEPS = 40;
/** A larger batch without an answer is an outage: single reads of all of it would only make that worse. */
const MOST_APART = 32;

/**
 * What many runs ask a cloud at the same time, asked with few calls (see `Gathering`): equal questions share one answer, and
 * every call is reported to each run that waits for it as a step. What shared a small batch that timed out is asked apart until it
 * answers, so that one that hangs does not hold up its neighbours.
 */
export class SharedQuestions<Question, Answer> {
  readonly #options: SharedQuestionsOptions<Question, Answer>;
  readonly #gathering: Gathering<Question, Answer>;
  /** Keys whose small batch got no answer in time: one of them may be what hangs, so each is asked apart next. */
  readonly #apart = new Set<string>();

  constructor(options: SharedQuestionsOptions<Question, Answer>) {
    this.#options = options;
    this.#gathering = new Gathering({
      ...options,
      batches: options.batches ?? DEFAULT_BATCHES,
      budgetWaitMs: () => options.budgetWaitMs?.() ?? 0,
      send: (batch) => this.#send(batch),
    });
  }

  /** Rejects with the signal's reason, and with what the asking threw. */
  async ask(run: LookupRun, question: Question, request: GatheringRequest): Promise<Answer> {
    run.signal.throwIfAborted();
    const known = this.#options.known(question, request);
    if (known !== undefined) {
      this.#report(question, { calls: [], sharedBy: 0 });
      return known;
    }
    const { apart, keyOf } = this.#options;
    if (apart !== undefined && this.#apart.has(keyOf(question))) {
      const answer = await apart.ask(run, question, request);
      if (!apart.isTimeout(answer)) this.#apart.delete(keyOf(question));
      return answer;
    }
    const gathered = await this.#gather(run, question, request);
    this.#report(question, gathered);
    reportSteps(run, gathered);
    if (gathered.outcome.kind === "threw") throw gathered.outcome.error;
    return gathered.outcome.answer;
  }

  #report(
    question: Question,
    { calls, sharedBy }: Pick<GatheredAnswer<Answer>, "calls" | "sharedBy">,
  ): void {
    const { named, onLookup } = this.#options;
    onLookup?.({ what: named(question).operation, withoutCall: calls.length === 0, sharedBy });
  }

  /** The end of a run leaves the call that it waits for to others: what it waited for is noted all the same. */
  async #gather(
    run: LookupRun,
    question: Question,
    request: GatheringRequest,
  ): Promise<GatheredAnswer<Answer>> {
    const { clock, named } = this.#options;
    const asked = { at: clock.now(), monotonic: clock.monotonic() };
    try {
      return await this.#gathering.ask(question, request, run.signal);
    } catch (error) {
      const durationMs = clock.monotonic() - asked.monotonic;
      const times = { offsetMs: asked.at - run.startedAt, durationMs };
      run.step(stepWithoutAnswer(named(question), times));
      throw error;
    }
  }

  async #send(batch: GatheredBatch<Question>): Promise<ReadonlyMap<string, Answer>> {
    const answers = await this.#options.send(batch);
    if (batch.questions.length > MOST_APART) return answers;
    for (const [key, answer] of answers) {
      if (this.#options.apart?.isTimeout(answer) === true) this.#apart.add(key);
    }
    return answers;
  }
}

function reportSteps(
  run: LookupRun,
  { calls, sharedBy }: { readonly calls: readonly CloudCall[]; readonly sharedBy: number },
): void {
  for (const call of calls.slice(0, MOST_STEPS)) {
    run.step(stepOfCall(call, run.startedAt, sharedBy));
  }
}
