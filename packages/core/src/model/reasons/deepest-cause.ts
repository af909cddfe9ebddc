import type { ControllerName } from "../controller-names.ts";
import { depthOf, factsOf, faultOf, type Reason, stateOf } from "../reason.ts";
import { STATES, type State } from "../state.ts";
import { DEPTHS } from "./define.ts";

/** One controller's report on an object. */
export interface Part {
  readonly controller: ControllerName;
  readonly state: State;
  readonly reason: Reason;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/**
 * Returns the part that represents the whole object (UX.md section 2): for a gone object the one that saw it go, for a
 * held one the hold, otherwise the worst that follows from no other, and of equals the deepest. Undefined without parts.
 */
export function shownOf<One extends Part>(parts: readonly One[]): One | undefined {
  const gone = parts.filter(({ state }) => state === "gone");
  const held = parts.filter(({ state }) => state === "held");
  const own = parts.filter((part) => causeOfPart(part, parts) === undefined);
  const speaking = [gone, held].find((some) => some.length > 0) ?? own;
  return speaking.toSorted(worstFirst)[0];
}

/** Returns the part from which this one follows: without a running machine it cannot be healthy either. */
export function causeOfPart<One extends Part>(part: Part, parts: readonly One[]): One | undefined {
  if (part.state === "ok" || part.state === "gone") return undefined;
  return parts.filter((other) => explains(other, part)).toSorted(worstFirst)[0];
}

function explains(cause: Part, part: Part): boolean {
  if (cause.state === "ok" || depth(cause) >= depth(part)) return false;
  const { explains: explained } = factsOf(cause.reason.code);
  if (explained === undefined) return false;
  return explained === "all" || faultOf(part.reason) !== "user";
}

function worstFirst(left: Part, right: Part): number {
  const rank = STATES.indexOf(left.state) - STATES.indexOf(right.state);
  if (rank !== 0) return rank;
  // If all parts are healthy, the one with something to report comes first, such as that the node
  // is another cloud's; otherwise the one that initialises.
  if (left.state === "ok") return news(right) - news(left);
  return waits(left) - waits(right) || depth(left) - depth(right) || left.since - right.since;
}

function news({ reason }: Part): number {
  const isNews = factsOf(reason.code).isNoted === true || stateOf(reason) === "waiting";
  return isNews ? 1 : 0;
}

/** A controller's finding says more than that another one has not observed yet. */
function waits({ reason }: Part): number {
  return reason.code === "NotReportedYet" ? 1 : 0;
}

function depth({ reason, controller }: Part): number {
  return DEPTHS.indexOf(depthOf(reason, controller));
}
