import type { RunContext } from "../../reconcile/reconciler.ts";
import { instanceRefOf, isUninitialised, providerIdOf, readyOf } from "../objects/node-object.ts";
import { conditionOf, isOfRoutes } from "./changes.ts";
import type { NodeObserved } from "./observed.ts";

/** How old the word that the machine is there may be for a Node that is just coming up: it has mostly just been asked for. */
const FRESH_MS = 10_000;

/**
 * Whether the cloud has no machine any more for a Node that lacks a route: the route would only be refused. Asked for an
 * initialised Node alone whose kubelet is silent, or whose routes were seen to before, as its condition tells: a machine is
 * gone long before its kubelet counts as silent. So neither a healthy Node nor a new one costs a call; those that are asked
 * for share it with all that are looked up at that time. An answer that is none holds back no route.
 */
export async function missingMachineOf(
  observed: NodeObserved,
  run: Pick<RunContext, "instances" | "priority">,
): Promise<NodeObserved["withoutMachine"]> {
  if (!isDoubtful(observed) || !lacksRoute(observed)) return undefined;
  const ref = instanceRefOf(observed.node);
  // What was known of the machine before its route went says nothing of why it went.
  const maxAgeMs = hadRoutes(observed) ? 0 : FRESH_MS;
  const options = { maxAgeMs, mode: "batch", priority: run.priority } as const;
  const lookup = await run.instances.lookup(ref, options);
  switch (lookup.kind) {
    case "absent":
      return requestOf(lookup.proof);
    case "notListed":
      return requestOf(lookup);
    default:
      return undefined;
  }
}

function isDoubtful(observed: NodeObserved): boolean {
  const { node, strangeness } = observed;
  return (
    strangeness === undefined &&
    providerIdOf(node) !== undefined &&
    !isUninitialised(node) &&
    (readyOf(node).status !== "True" || hadRoutes(observed))
  );
}

function hadRoutes({ node }: NodeObserved): boolean {
  return isOfRoutes(conditionOf(node));
}

function lacksRoute({ ranges }: NodeObserved): boolean {
  return ranges.some(
    ({ refused, right, foreign }) =>
      refused === undefined && right === undefined && foreign === undefined,
  );
}

function requestOf({ requestId }: { readonly requestId?: string | undefined }) {
  return requestId === undefined ? {} : { requestId };
}
