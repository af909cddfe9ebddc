import type { Clock } from "../../model/time.ts";
import type { CloudCall } from "../calls/call-context.ts";
import { stepOfCall, stepWithoutAnswer } from "../calls/step-of-call.ts";
import type { LookupRun } from "../ports.ts";
import type { GatheredAnswer, GatheringRequest } from "./gathered-batch.ts";
import { type GatheredBatch, Gathering, type GatheringOptions } from "./gathering.ts";

export interface SharedQuestionsOptions<Question, Answer>
  extends Omit<GatheringOptions<Question, Answer>, "batches" | "budgetWaitMs"> {
  readonly clock: Clock;
  /** How many batches may be in progress at the same time; 4 by default. */
  readonly batches?: number | undefined;
  /** Returns how many milliseconds the budget would make a call wait now: questions keep gathering meanwhile. */
  budgetWaitMs?: (() => number) | undefined;
  /** How to ask a question separately that may have held up others; absent if there are no others. */
  readonly apart?: {
    /** Reports whether no answer came in time. */
    isTimeout(answer: Answer): boolean;
    /** Asks one question with a call of its own. */
    ask(run: LookupRun, question: Question, request: GatheringRequest): Promise<Answer>;
  };
  /** Names the question for the step of a run that ended before the answer came: `look up instance`, `w-1`. */
  named(question: Question): { readonly operation: string; readonly target: string };
  /** Called for every question that was answered, for the budget's figures. Must not throw. */
  onLookup?: ((lookup: LookupReport) => void) | undefined;
}

/** How one question to the cloud was answered. */
export interface LookupReport {
  /** `look up instance`. */
  readonly what: string;
  /** Whether it was answered from what was already known. */
  readonly withoutCall: boolean;
  /** How many questions the same calls answered. */
  readonly sharedBy: number;
}

/** One for a listing, which may take long, and some so that a few questions need not wait for it or for one that hangs. */
const DEFAULT_BATCHES = 4;
/** A provider that reads one by one would otherwise put a batch's hundreds of calls into each of its runs. */
const MOST_STEPS = 40;
/** A larger batch without an answer is an outage: reading all of it one by one would only make that worse. */
const MOST_APART = 32;

/**
 * Questions that many runs ask a cloud at the same time, answered with few calls (see `Gathering`): equal questions share one
 * answer, and every call is reported as a step to each run that waits for it. The questions of a small batch that timed out are
 * asked separately until they are answered, so that one that hangs does not hold up the others.
 */
export class SharedQuestions<Question, Answer> {
  readonly #options: SharedQuestionsOptions<Question, Answer>;
  readonly #gathering: Gathering<Question, Answer>;
  /**
   * Keys whose small batch got no answer in time: any of them may be the one that hangs, so each is next asked
   * separately.
   */
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

  /** Rejects with the signal's reason, or with the error of the request. */
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

  /** When a run ends, the call for which it waits goes on for others; what it waited for is still recorded. */
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
