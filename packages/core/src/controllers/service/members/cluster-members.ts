import { isDeepStrictEqual } from "node:util";
import type { InstanceDirectory, InstanceLookups } from "../../../cloud/ports.ts";
import type { Node } from "../../../kube/client.ts";
import type { Informer, InformerEvent } from "../../../kube/informer/informer-port.ts";
import type { Clock } from "../../../model/time.ts";
import type { RunContext } from "../../../reconcile/reconciler.ts";
import { providerIdOf } from "../../objects/node-object.ts";
import { type NodeSightings, watchNodes } from "../../objects/node-sightings.ts";
import { labelsOf, nameOf, uidOf } from "../../objects/object-meta.ts";
import { type MemberNode, type MemberSet, memberSetOf, membershipOf } from "./members.ts";

export interface ClusterMembersOptions {
  readonly informer: Pick<Informer<Node>, "list" | "subscribe">;
  /** The provider's name: the scheme of its provider IDs. */
  readonly provider: string;
  readonly clock: Clock;
  /** Undefined if the provider offers none: then nodes are members only by their provider IDs. */
  readonly instances: InstanceDirectory | undefined;
  /** Whether the provider chooses among the nodes by their labels. */
  readonly readsLabels?: boolean;
}

/** How long a node that the cloud does not know by its name is not looked up again. */
const UNKNOWN_FOR_MS = 30_000;
/** The same for one about which the cloud gave no answer. */
const UNANSWERED_FOR_MS = 5_000;
/** How old the answer to a lookup by name may be. */
const FRESH_MS = 10_000;

/** The nodes that load balancers should have, computed once for all Services while no node changes. */
export class ClusterMembers {
  readonly #options: ClusterMembersOptions;
  /** By the node's UID: the provider ID found by its name, and from when it may be looked up again. */
  readonly #named = new Map<
    string,
    { readonly providerID: string | undefined; readonly dueAt: number }
  >();
  #set: MemberSet | undefined;
  /** Resolves when the lookups in progress have ended, with or without answers. */
  #asking: Promise<void> | undefined;
  readonly #sightings: NodeSightings;
  readonly stop: () => void;

  constructor(options: ClusterMembersOptions) {
    this.#options = options;
    this.#sightings = watchNodes(options.informer, options.clock);
    const unsubscribe = options.informer.subscribe((event) => this.#heed(event));
    this.stop = () => {
      unsubscribe();
      this.#sightings.stop();
    };
  }

  /**
   * Returns the current nodes. A node without a provider ID is looked up by its name now and then (spec/30 §5 does not
   * require one).
   */
  async current(run: RunContext): Promise<MemberSet> {
    const { instances } = this.#options;
    const unknown = this.known.nodes.some(({ why }) => why === "withoutProviderID");
    if (instances !== undefined && unknown) await this.#lookUp(instances, run);
    return this.known;
  }

  /** Returns the nodes as far as they are known without asking the cloud. */
  get known(): MemberSet {
    const { informer, provider, readsLabels = false } = this.#options;
    this.#set ??= memberSetOf(informer.list(), {
      ...{ provider, readsLabels },
      resolved: (node) => this.#named.get(uidOf(node))?.providerID,
    });
    return this.#set;
  }

  /**
   * Returns the provider IDs of the refused members whose machine the cloud no longer has. Then the refusal follows from the
   * missing machine and is no mistake of the Service. A machine is gone long before its kubelet counts as silent, and earlier
   * answers prove nothing: each refused member is looked up, together with all other lookups at that time.
   */
  async withoutMachine(
    nodes: readonly MemberNode[],
    refused: ReadonlyMap<string, unknown>,
    run: Pick<RunContext, "cloud" | "priority">,
  ): Promise<ReadonlySet<string>> {
    const { instances } = this.#options;
    if (instances === undefined) return NOBODY;
    const doubtful = nodes.flatMap(({ node, providerID }) =>
      providerID !== undefined && refused.has(providerID) ? [{ nodeName: node, providerID }] : [],
    );
    const options = { maxAgeMs: 0, mode: "batch", priority: run.priority } as const;
    const port = run.cloud(instances);
    const lookups = await Promise.all(
      doubtful.map(async (ref) => ({ ref, lookup: await port.lookup(ref, options) })),
    );
    const gone = lookups.filter(
      ({ lookup: { kind } }) => kind === "absent" || kind === "notListed",
    );
    return new Set(gone.map(({ ref }) => ref.providerID));
  }

  /**
   * One run's lookups serve all others that come meanwhile: in a wave of nodes hundreds of Services need the same
   * answers.
   */
  async #lookUp(instances: InstanceDirectory, run: RunContext): Promise<void> {
    if (this.#asking !== undefined) {
      await this.#asking;
      return;
    }
    const due = this.#options.informer.list().filter((node) => this.#isDue(node));
    const lookups = Promise.all(
      due.map((node) => this.#lookUpOne(node, run.cloud(instances), run)),
    );
    this.#asking = settled(lookups).finally(() => {
      this.#asking = undefined;
    });
    await lookups;
  }

  #isDue(node: Node): boolean {
    if (providerIdOf(node) !== undefined || !membershipOf(node).isEligible) return false;
    const known = this.#named.get(uidOf(node));
    if (known === undefined) return true;
    return known.providerID === undefined && this.#options.clock.now() > known.dueAt;
  }

  async #lookUpOne(
    node: Node,
    instances: InstanceLookups,
    { priority }: RunContext,
  ): Promise<void> {
    const ref = { nodeName: nameOf(node), providerID: undefined };
    const lookup = await instances.lookup(ref, {
      maxAgeMs: FRESH_MS,
      notBefore: this.#sightings.firstSeen(uidOf(node)),
      mode: "batch",
      priority,
    });
    const providerID = lookup.kind === "found" ? lookup.facts.providerID : undefined;
    const restMs = lookup.kind === "failed" ? UNANSWERED_FOR_MS : UNKNOWN_FOR_MS;
    this.#named.set(uidOf(node), { providerID, dueAt: this.#options.clock.now() + restMs });
    if (providerID !== undefined) this.#set = undefined;
  }

  #heed(event: InformerEvent<Node>): void {
    if (event.kind === "updated" && !this.#isSeenAnew(event.old, event.object)) return;
    if (event.kind === "deleted") this.#named.delete(uidOf(event.object));
    this.#set = undefined;
  }

  #isSeenAnew(old: Node, node: Node): boolean {
    const hasOtherLabels = () => !isDeepStrictEqual(labelsOf(old), labelsOf(node));
    return isSeenAnew(old, node) || (this.#options.readsLabels === true && hasOtherLabels());
  }
}

const NOBODY: ReadonlySet<string> = new Set();

/**
 * A run that waits for another run's lookups is not affected by that run's end: unknown nodes are looked up next time.
 */
async function settled(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work]);
}

/** Reports whether a page, or a cloud that sends to addresses, would see a difference in the node. */
function isSeenAnew(old: Node, node: Node): boolean {
  if (uidOf(old) !== uidOf(node) || providerIdOf(old) !== providerIdOf(node)) return true;
  if (!hasSameAddresses(old, node)) return true;
  const before = membershipOf(old);
  const after = membershipOf(node);
  return before.why !== after.why || before.evidence !== after.evidence;
}

function hasSameAddresses(old: Node, node: Node): boolean {
  const before = old.status?.addresses ?? [];
  const after = node.status?.addresses ?? [];
  return (
    before.length === after.length &&
    before.every(({ type, address }, index) => {
      const other = after[index];
      return other?.type === type && other.address === address;
    })
  );
}
