import type { Service } from "../../kube/client.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { uidOf } from "../object-meta.ts";
import type { MemberNode, RefusedMembers } from "./members/members.ts";
import type { ServiceMemories } from "./service-memory.ts";

/** What of the controller's memory and abilities it takes. */
interface Ports {
  readonly memories: Pick<ServiceMemories, "of">;
  /** Whether the provider offers instances: then a machine can be asked for. */
  readonly looksUpByName: boolean;
}

/** Provider IDs of the members that the cloud has refused and of which it has no machine any more. */
export function refusedWithoutMachine(
  { memories, looksUpByName }: Ports,
  { service, run }: { readonly service: Service | undefined; readonly run: RunContext },
  nodes: readonly MemberNode[],
): Promise<ReadonlySet<string>> | ReadonlySet<string> {
  if (service === undefined || !looksUpByName) return new Set<string>();
  return membersWithoutMachine(nodes, memories.of(uidOf(service)).refused, run);
}

/**
 * Without a machine the refusal is no mistake of the Service, it follows from that. A machine is gone long before its kubelet
 * counts as silent, and what was known of it before says nothing: each that is refused is asked for, together with all that
 * are looked up at that time.
 */
async function membersWithoutMachine(
  nodes: readonly MemberNode[],
  refused: RefusedMembers,
  run: Pick<RunContext, "instances" | "priority">,
): Promise<ReadonlySet<string>> {
  const doubtful = nodes.flatMap(({ node, providerID }) =>
    providerID !== undefined && refused.has(providerID) ? [{ nodeName: node, providerID }] : [],
  );
  const options = { maxAgeMs: 0, mode: "batch", priority: run.priority } as const;
  const lookups = await Promise.all(
    doubtful.map(async (ref) => ({ ref, lookup: await run.instances.lookup(ref, options) })),
  );
  const gone = lookups.filter(({ lookup: { kind } }) => kind === "absent" || kind === "notListed");
  return new Set(gone.map(({ ref }) => ref.providerID));
}
