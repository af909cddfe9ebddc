import type { RunContext } from "../../reconcile/reconciler.ts";
import { instanceRefOf, isUninitialised, providerIdOf, readyOf } from "../node-object.ts";
import type { NodeObserved } from "./observed.ts";

/** How old the word that the machine is there may be: the lifecycle has mostly just asked. */
const FRESH_MS = 10_000;

/**
 * Whether the cloud has no machine any more for a Node that lacks a route: the route would only be refused. Asked for a
 * Node alone whose kubelet is silent though it was initialised, so that neither a healthy Node nor a new one costs a call;
 * together with all that are looked up at that time. An answer that is none holds back no route.
 */
export async function missingMachineOf(
  observed: NodeObserved,
  run: Pick<RunContext, "instances" | "priority">,
): Promise<NodeObserved["withoutMachine"]> {
  if (!isDoubtful(observed) || !lacksRoute(observed)) return undefined;
  const ref = instanceRefOf(observed.node);
  const options = { maxAgeMs: FRESH_MS, mode: "batch", priority: run.priority } as const;
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

function isDoubtful({ node, strangeness }: NodeObserved): boolean {
  return (
    strangeness === undefined &&
    providerIdOf(node) !== undefined &&
    readyOf(node).status !== "True" &&
    !isUninitialised(node)
  );
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
