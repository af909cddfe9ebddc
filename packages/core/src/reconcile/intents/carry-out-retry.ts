import type { LoopPreview, LoopProgress } from "../../model/actions/intent.ts";
import { KEPT_RESULTS, loopsResult } from "../../model/actions/intent-result.ts";
import { type ControllerName, controllerOf } from "../../model/controller-names.ts";
import { combinedPlanHash, type Next } from "../../model/plan.ts";
import type { IntentReport } from "../ports.ts";
import { carryOutObjectAction } from "./carry-out-object-action.ts";
import { failedBy, rejected } from "./intent-reports.ts";
import { hashToCompare, type IntentWork } from "./intent-work.ts";

/**
 * Retries an object in several loops, one after the other, because one loop may wait for what another does first. The retry is
 * *verified* when each loop has observed the effect; otherwise the result says which has not, and why. Nothing is written if the
 * plans differ from those that the user was shown. Undefined when this leader's term ends first.
 */
export async function carryOutRetry(
  work: IntentWork,
  controllers: readonly ControllerName[],
): Promise<IntentReport | undefined> {
  const isPreview = work.intent.kind === "preview";
  const shown = hashToCompare(work.intent);
  if (!isPreview && shown === undefined) return new Retry(work, controllers, []).carryOut();
  const previews = await previewAll(work, controllers);
  if (previews === undefined) return undefined;
  const preview = await together(previews);
  if (isPreview || preview === undefined) return answerOf(previews, preview);
  if (preview.planHash !== shown) return planChanged(preview);
  return new Retry(work, controllers, previews).carryOut();
}

type Preview = NonNullable<IntentReport["preview"]>;

function planChanged(preview: Preview): IntentReport {
  return { ...rejected(KEPT_RESULTS.planChanged()), preview };
}

/** Takes one intent through its loops, and skips those that an earlier leader has finished. */
class Retry {
  readonly #work: IntentWork;
  readonly #progress: Map<ControllerName, LoopProgress>;
  /** The hashes of the plans that the user was shown; compared until something is written in the intent's name. */
  readonly #hashes: Map<ControllerName, string | undefined>;

  constructor(
    work: IntentWork,
    controllers: readonly ControllerName[],
    shown: readonly Previewed[],
  ) {
    this.#work = work;
    this.#hashes = new Map(
      shown.map(({ shown: { controller }, planHash }) => [controller, planHash]),
    );
    const known = new Map(work.intent.loops?.map((loop) => [loop.controller, loop]));
    this.#progress = new Map(
      controllers.map((controller) => [
        controller,
        known.get(controller) ?? { controller, state: "requested" },
      ]),
    );
  }

  get #loops(): readonly LoopProgress[] {
    return [...this.#progress.values()];
  }

  async carryOut(): Promise<IntentReport | undefined> {
    for (const { controller, state } of this.#loops) {
      if (state !== "requested" && state !== "running") continue;
      this.#note({ controller, state: "running" });
      const report = await this.#carryOutOne(controller);
      if (report === undefined) return undefined;
      // A report has a preview only if the plan had changed before anything was written.
      if (report.preview !== undefined) return this.#planChanged();
      this.#note(endOf(controller, report));
    }
    const loops = this.#loops;
    return { state: stateOf(loops), ...resultOf(loops), loops };
  }

  async #planChanged(): Promise<IntentReport | undefined> {
    const previews = await previewAll(this.#work, [...this.#progress.keys()]);
    if (previews === undefined) return undefined;
    const preview = await together(previews);
    return preview === undefined ? rejected(KEPT_RESULTS.planChanged()) : planChanged(preview);
  }

  #carryOutOne(controller: ControllerName): Promise<IntentReport | undefined> {
    const { intent, onWriting } = this.#work;
    return byOneLoop(this.#work, controller, {
      intent: { ...intent, planHash: this.#hashes.get(controller) },
      onWriting: (runId) => {
        this.#hashes.clear();
        onWriting(runId);
        this.#note({ controller, state: "running", runId });
      },
    });
  }

  #note(progress: LoopProgress): void {
    this.#progress.set(progress.controller, progress);
    this.#work.onProgress(this.#loops);
  }
}

/**
 * Carries the intent out as if it named only this controller. An error is reported as the end, unless this
 * leader's term has ended.
 */
async function byOneLoop(
  work: IntentWork,
  controller: ControllerName,
  more: Pick<IntentWork, "intent"> & Partial<Pick<IntentWork, "onWriting">>,
): Promise<IntentReport | undefined> {
  const action = { kind: "retry" } as const;
  const intent = { ...more.intent, controller, action };
  const loop = work.loops.get(controller);
  try {
    return await carryOutObjectAction({ ...work, ...more, intent, loop }, action);
  } catch (error) {
    if (work.signal.aborted) return undefined;
    return failedBy(error);
  }
}

function endOf(
  controller: ControllerName,
  { state, result, evidence, runId }: IntentReport,
): LoopProgress {
  return {
    controller,
    state: state === "verified" || state === "rejected" ? state : "failed",
    ...(result === undefined ? {} : { result }),
    ...evidence,
    ...(runId === undefined ? {} : { runId }),
  };
}

function stateOf(loops: readonly LoopProgress[]): "verified" | "failed" | "rejected" {
  const states = new Set(loops.map(({ state }) => state));
  if (states.size === 1 && states.has("verified")) return "verified";
  return states.size === 1 && states.has("rejected") ? "rejected" : "failed";
}

function resultOf(loops: readonly LoopProgress[]): Pick<IntentReport, "result" | "evidence"> {
  const [only, ...others] = loops;
  if (only === undefined || others.length > 0) return { result: loopsResult(loops) };
  const { result = "", reason } = only;
  return { result, ...(reason === undefined ? {} : { evidence: { reason } }) };
}

interface Previewed {
  readonly shown: LoopPreview;
  readonly planHash: string | undefined;
}

/**
 * Previews all loops at the same time; a failure of one does not affect the others. Undefined when this leader's term ends
 * first, as a failure at that time says nothing about the loop.
 */
async function previewAll(
  work: IntentWork,
  controllers: readonly ControllerName[],
): Promise<readonly Previewed[] | undefined> {
  const intent = { ...work.intent, kind: "preview" as const };
  const previews = await Promise.all(
    controllers.map(async (controller) =>
      previewedBy(controller, await byOneLoop(work, controller, { intent })),
    ),
  );
  return work.signal.aborted ? undefined : previews;
}

function previewedBy(controller: ControllerName, report: IntentReport | undefined): Previewed {
  const { preview, result, evidence } = report ?? {};
  const problem = report?.state === "verified" ? undefined : (result ?? "");
  if (preview === undefined) {
    return { shown: { controller, problem: problem ?? "", ...evidence }, planHash: undefined };
  }
  const { planHash, loops: _, ...plan } = preview;
  return {
    shown: { controller, plan, ...(problem === undefined ? {} : { problem, ...evidence }) },
    planHash,
  };
}

function answerOf(previews: readonly Previewed[], preview: Preview | undefined): IntentReport {
  if (preview !== undefined) return { state: "verified", preview };
  const problems = previews.map(
    ({ shown: { controller, problem = "" } }) => `${controllerOf(controller).label}: ${problem}`,
  );
  return rejected(problems.join(" "));
}

/** Merges what all loops would do into one plan; undefined when none could be previewed. */
async function together(previews: readonly Previewed[]): Promise<Preview | undefined> {
  const plans = previews.flatMap(({ shown: { plan } }) => plan ?? []);
  const next = worstNext(plans.map((plan) => plan.next));
  if (next === undefined) return undefined;
  return {
    planHash: await combinedPlanHash(previews.map(({ planHash }) => planHash)),
    changes: plans.flatMap(({ changes }) => changes),
    notTaken: plans.flatMap(({ notTaken }) => notTaken),
    next,
    loops: previews.map(({ shown }) => shown),
  };
}

const WORST_FIRST: readonly Next["kind"][] = ["failed", "blocked", "waiting", "settled"];

function worstNext(nexts: readonly Next[]): Next | undefined {
  return WORST_FIRST.flatMap((kind) => nexts.filter((next) => next.kind === kind))[0];
}
