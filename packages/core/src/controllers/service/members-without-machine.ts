import type { RunContext } from "../../reconcile/reconciler.ts";
import type { MemberNode, RefusedMembers } from "./members.ts";

/** How old the word that the machine is there may be: the lifecycle has mostly just asked. */
const FRESH_MS = 10_000;

/**
 * Provider IDs of the refused members of which the cloud has no machine any more: then the refusal is nobody's mistake, it
 * follows from that. Asked for nodes alone whose kubelet is silent, together with all that are looked up at that time.
 */
export async function membersWithoutMachine(
  nodes: readonly MemberNode[],
  refused: RefusedMembers,
  run: Pick<RunContext, "instances" | "priority">,
): Promise<ReadonlySet<string>> {
  const doubtful = nodes.flatMap(({ node, providerID, why }) =>
    providerID !== undefined && refused.has(providerID) && why === "notReady"
      ? [{ nodeName: node, providerID }]
      : [],
  );
  const options = { maxAgeMs: FRESH_MS, mode: "batch", priority: run.priority } as const;
  const lookups = await Promise.all(
    doubtful.map(async (ref) => ({ ref, lookup: await run.instances.lookup(ref, options) })),
  );
  const gone = lookups.filter(({ lookup: { kind } }) => kind === "absent" || kind === "notListed");
  return new Set(gone.map(({ ref }) => ref.providerID));
}
