import type { Step } from "@cloudwright/core/model/run";
import type { NodeControllerState, NodeDetail } from "@cloudwright/store/views/node-detail";
import type { RunDetail } from "@cloudwright/store/views/views";

const WITH_FAILURE: ReadonlySet<string> = new Set(["failed", "timedOut", "blocked", "waiting"]);

/** Returns the newest run of a node that did not complete, in which the last failed call is found; undefined if all completed. */
export function failedRunOf({
  controllers,
}: Pick<NodeDetail, "controllers">): Pick<NodeControllerState, "runId" | "controller"> | undefined {
  const [newest] = controllers
    .filter(({ outcome, state }) => WITH_FAILURE.has(outcome) && state !== "ok")
    .toSorted((left, right) => right.at - left.at);
  return newest;
}

/** A call that failed. */
export interface FailedCall {
  readonly step: Step;
  /** When it was sent, milliseconds since the epoch. */
  readonly at: number;
  /** The message in its answer, if that was kept. */
  readonly message: string | undefined;
}

/** Returns the last call of a run that failed. */
export function failedCallOf({ row, end }: Pick<RunDetail, "row" | "end">): FailedCall | undefined {
  const step = end?.steps.findLast(({ status = 0, error }) => error !== undefined || status >= 400);
  if (step === undefined) return undefined;
  return { step, at: row.startedAt + step.offsetMs, message: messageIn(step.body) };
}

/** Clouds use several names for it, some of them nested more deeply. */
function messageIn(body: Step["body"], depth = 3): string | undefined {
  if (typeof body !== "object" || body === null || depth === 0) return undefined;
  const members = Object.entries(body);
  const own = members.find(([name, value]) => MESSAGE.test(name) && typeof value === "string");
  if (own !== undefined) return String(own[1]);
  return members.map(([, value]) => messageIn(value, depth - 1)).find((text) => text !== undefined);
}

const MESSAGE = /^(?:message|detail|error_description|faultstring)$/i;
