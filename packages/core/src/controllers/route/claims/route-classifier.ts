import type { CloudRoute, IpFamily } from "@cloudwright/provider-api";
import type { Node } from "../../../kube/client.ts";
import type { Informer } from "../../../kube/informer/informer-port.ts";
import type { AdoptPolicy, RouteProof } from "../../../model/adoption.ts";
import type { Reason, ReasonOf } from "../../../model/reason.ts";
import { otherOwnerOf, providerIdOf } from "../../objects/node-object.ts";
import { nameOf, uidOf } from "../../objects/object-meta.ts";
import { routeKey } from "../keys.ts";
import type { ClusterNodes, GoneNode } from "./cluster-nodes.ts";
import { type IpRange, ipRangeOf, isWithin } from "./pod-ranges.ts";

export type StaleWhy = ReasonOf<"RouteStale">["why"];

/** What a route is to this cluster. */
export type Judged = {
  readonly route: CloudRoute;
  /** Undefined for a destination that is not a range. */
  readonly range: IpRange | undefined;
} /** `claim`: it has no mark, lies in a range of the pods, and may be ours; consent is needed to touch it. */ & (
  | { readonly kind: "foreign"; readonly owner: string; readonly claim?: RouteClaim }
  /** Correct for a Node, and ours; `ownership` says how we know if it carries no mark. */
  | { readonly kind: "right"; readonly node: string; readonly ownership?: RouteOwnership }
  /** Ours, and unwanted as it is. */
  | Stale
);

/** Ours by proofs, or as with `--adopt=report`, which leaves it as it is. */
export type RouteOwnership = "proofs" | "report";

export interface Stale {
  readonly kind: "stale";
  readonly why: StaleWhy;
  /** The key whose run handles it. */
  readonly key: string;
  /** Whether it lies in a pod range; others are never deleted (spec/40 §3.4). */
  readonly isResponsible: boolean;
  /** Whether it is stale because of a Node whose deletion this process saw. */
  readonly sawItGo: boolean;
}

export interface RouteClassifierOptions {
  readonly nodes: ClusterNodes;
  readonly informer: Pick<Informer<Node>, "get">;
  readonly clusterUid: string;
  /** The provider's name, which is the scheme of its provider IDs. */
  readonly provider: string;
  /** The address families that its routes support. */
  readonly families: readonly IpFamily[];
  /** `--cluster-cidr`. */
  readonly ranges: readonly IpRange[];
  /** Whether its routes carry marks: if not, a route to a machine of ours is ours. */
  readonly storesOwner: boolean;
  readonly adopt: AdoptPolicy;
}

/** Classifies each route by the cluster as it is now, without any I/O (DESIGN.md "Identity"). */
export class RouteClassifier {
  readonly #options: RouteClassifierOptions;
  /** By the route object of a listing, which all runs that share the listing read. */
  readonly #ranges = new WeakMap<object, IpRange | undefined>();
  /**
   * Ids of routes without a mark that two proofs have shown to be ours: they stay ours when their Node goes or
   * changes.
   */
  readonly #own = new Set<string>();

  constructor(options: RouteClassifierOptions) {
    this.#options = options;
  }

  /**
   * Remembers which of these routes without a mark are ours by two proofs; the code that feeds the queue calls it with each
   * listing.
   */
  noteOwn(routes: readonly CloudRoute[]): void {
    for (const route of routes) {
      if (route.owner !== undefined) continue;
      if (claimTo(this.nodes, route, this.rangeOf(route)).proofs.length < 2) continue;
      this.#own.add(route.id);
      const [oldest] = this.#own;
      if (this.#own.size > MOST_RANGES_KEPT && oldest !== undefined) this.#own.delete(oldest);
    }
  }

  get nodes(): ClusterNodes {
    return this.#options.nodes;
  }

  judge(route: CloudRoute): Judged {
    const range = this.rangeOf(route);
    const owner = this.#ownerOf(route);
    if (owner !== undefined) return { route, range, kind: "foreign", owner };
    const ours = this.#judgeAsOurs(route, range);
    return route.owner === undefined ? this.#judgeUnmarked(ours) : ours;
  }

  /**
   * A route without a mark is ours by two proofs, and never by its range alone (RW-5); with one proof it waits for consent. If
   * routes carry no marks at all, the machine decides or, when the cloud has forgotten which machine it was, the range.
   */
  #judgeUnmarked(ours: Right | JudgedStale): Judged {
    const { route, range } = ours;
    const { adopt, storesOwner } = this.#options;
    const foreign = { route, range, kind: "foreign", owner: UNKNOWN_OWNER } as const;
    if (!storesOwner) return this.#isOfOurMachines(route, range) ? ours : foreign;
    const claim = claimTo(this.nodes, route, range);
    const isAdopted = adopt === "published" && this.#isProven(route, claim);
    if (ours.kind === "right") return { ...ours, ownership: isAdopted ? "proofs" : "report" };
    if (isAdopted) return ours;
    const isClaim = claim.proofs.some((proof) => proof !== "name") && this.isResponsible(range);
    return isClaim ? { ...foreign, claim } : foreign;
  }

  #isOfOurMachines(route: CloudRoute, range: IpRange | undefined): boolean {
    if (this.nodes.isOurs(route.target)) return true;
    if (!isForgotten(route) || range === undefined) return false;
    const { claims } = this.nodes;
    if (claims.having(range).length > 0 || this.goneNodeOf(route) !== undefined) return true;
    return this.#isUnclaimed(range) && this.#options.adopt === "published";
  }

  /**
   * Reports whether the range lies completely within the pod ranges and no Node has a part of it. A route there that leads nowhere
   * remains from a Node that went unobserved. Upstream deletes it by the range alone; no traffic depends on it.
   */
  #isUnclaimed(range: IpRange): boolean {
    const isOfPods = this.#options.ranges.some(
      (pods) =>
        pods.family === range.family && isWithin(range.first, pods) && isWithin(range.last, pods),
    );
    return isOfPods && this.nodes.claims.sharing([range]).size === 0;
  }

  /** Returns the deleted Node from which the route remains. */
  goneNodeOf(route: CloudRoute): GoneNode | undefined {
    const known = this.nodes.gone(route.owner?.objectUid, route.target);
    const range = this.rangeOf(route);
    if (known !== undefined || range === undefined || !isForgotten(route)) return known;
    return this.nodes.goneWithRange(range);
  }

  #judgeAsOurs(route: CloudRoute, range: IpRange | undefined): Right | JudgedStale {
    const holder = range === undefined ? undefined : this.nodes.claims.holderOf(range);
    const node = holder === undefined ? undefined : this.#options.informer.get(holder);
    if (node === undefined) return { route, range, ...this.#unwanted(route, range) };
    const why = this.#flawOf(route, node);
    if (why === undefined) return { route, range, kind: "right", node: nameOf(node) };
    return { route, range, ...this.#stale(route, range), why, key: nameOf(node) };
  }

  rangeOf(route: Pick<CloudRoute, "destination">): IpRange | undefined {
    const known = this.#ranges.get(route);
    if (known !== undefined || this.#ranges.has(route)) return known;
    const range = ipRangeOf(route.destination);
    this.#ranges.set(route, range);
    return range;
  }

  /** Returns why the cloud cannot have a route to the range at all; undefined if it can. */
  unsupported({ family }: IpRange): Reason | undefined {
    const { provider, families } = this.#options;
    if (families.includes(family)) return undefined;
    return { code: "ProviderUnsupported", provider, operation: `${family} routes` };
  }

  /** Returns why a Node is not one of this cloud's machines; undefined if it may be (pains.md 3). */
  strangenessOf(node: Node): Reason | undefined {
    const { provider } = this.#options;
    const providerID = providerIdOf(node) ?? "";
    switch (otherOwnerOf(node, provider)) {
      case undefined:
        return undefined;
      case "foreign":
        return { code: "ForeignNode", providerID, provider };
      case "malformed":
        return { code: "ProviderIDMalformed", providerID, expected: `${provider}://<id>` };
    }
  }

  /** Reports whether the first or the last address lies in a pod range: upstream's *responsible*. */
  isResponsible(range: IpRange | undefined): boolean {
    if (range === undefined) return false;
    return this.#options.ranges.some(
      (ours) =>
        ours.family === range.family && (isWithin(range.first, ours) || isWithin(range.last, ours)),
    );
  }

  #isProven({ id }: CloudRoute, { proofs }: RouteClaim): boolean {
    return proofs.length >= 2 || this.#own.has(id);
  }

  /** Returns the owner in a mark that is not ours. */
  #ownerOf({ owner: mark }: CloudRoute): string | undefined {
    if (mark === undefined || mark.clusterUid === this.#options.clusterUid) return undefined;
    const { clusterName, clusterUid } = mark;
    return clusterName === undefined
      ? `the cluster ${clusterUid}`
      : `the cluster ${clusterName} (${clusterUid})`;
  }

  #unwanted(route: CloudRoute, range: IpRange | undefined): Stale {
    const stale = this.#stale(route, range);
    const { owner: mark, target } = route;
    const node = this.nodes.withUid(mark?.objectUid) ?? this.nodes.withMachine(target);
    const isGone = node === undefined;
    const why = route.blackhole ? "blackhole" : isGone ? "nodeGone" : "notAsked";
    return { ...stale, why, key: node ?? this.goneNodeOf(route)?.name ?? routeKey(route.id) };
  }

  #stale(route: CloudRoute, range: IpRange | undefined): Omit<Stale, "why" | "key"> {
    const isOfToday = this.nodes.withUid(route.owner?.objectUid) !== undefined;
    return {
      kind: "stale",
      isResponsible: this.isResponsible(range),
      sawItGo: !isOfToday && this.goneNodeOf(route) !== undefined,
    };
  }

  /** Returns why the route does not serve the Node that needs its destination. */
  #flawOf(route: CloudRoute, node: Node): StaleWhy | undefined {
    if (route.blackhole) return "blackhole";
    if (!leadsTo(route, node)) {
      const { owner: mark, target } = route;
      const known = this.nodes.withUid(mark?.objectUid) ?? this.nodes.withMachine(target);
      return known === undefined ? "nodeGone" : "otherTarget";
    }
    return hasAddressesOf(route, node) ? undefined : "otherAddresses";
  }
}

/** A limit, as destinations come and go. */
const MOST_RANGES_KEPT = 50_000;
const UNKNOWN_OWNER =
  "an unknown owner (it names no owner, and nothing proves that it belongs to a node)";

type Right = Extract<Judged, { readonly kind: "right" }>;
type JudgedStale = Extract<Judged, { readonly kind: "stale" }>;

/**
 * Reports whether the cloud says that the machine is gone but not which one it was, as with AWS: packets to such a route reach
 * nobody, so its range is enough to identify its owner.
 */
function isForgotten({ blackhole, owner: mark, target }: CloudRoute): boolean {
  const { providerID, nodeName } = target;
  return blackhole && mark === undefined && providerID === undefined && nodeName === undefined;
}

/**
 * Matches by provider ID; by name if the cloud knows only names; and by name or our mark while the Node has no provider
 * ID yet, as routes do not wait for initialisation.
 */
function leadsTo({ target, owner: mark }: CloudRoute, node: Node): boolean {
  const providerID = providerIdOf(node);
  if (providerID !== undefined && target.providerID !== undefined) {
    return target.providerID === providerID;
  }
  if (target.nodeName === nameOf(node)) return true;
  return target.providerID !== undefined && mark?.objectUid === uidOf(node);
}

/**
 * Compares the sets of addresses, regardless of order; only for routes that compare them (spec/40 §3.3, RW-9). A Node without
 * addresses keeps its route: a new one could not lead anywhere.
 */
function hasAddressesOf({ comparesAddresses, targetAddresses }: CloudRoute, node: Node): boolean {
  const addresses = node.status?.addresses ?? [];
  if (!comparesAddresses || addresses.length === 0) return true;
  if (addresses.length !== targetAddresses.length) return false;
  const wanted = new Set(addresses.map(({ type, address }) => `${type} ${address}`));
  return targetAddresses.every(({ type, address }) => wanted.has(`${type} ${address}`));
}

/** Why a route without a mark may be this cluster's, and which Node's run would handle it. */
export interface RouteClaim {
  readonly proofs: readonly RouteProof[];
  /** The Node that it obstructs, or to which it leads. */
  readonly node: string | undefined;
}

/**
 * Returns the evidence that a route without a mark belongs to a Node of this cluster: upstream gives it a pod range as
 * destination, the Node's machine as target, and the Node's UID as a hint in its name (spec/60 §5).
 */
function claimTo(
  nodes: ClusterNodes,
  { name, target }: Pick<CloudRoute, "name" | "target">,
  range: IpRange | undefined,
): RouteClaim {
  const uid = UID.exec(name)?.[0];
  const gone = nodes.gone(uid, target);
  const holder = range === undefined ? undefined : nodes.claims.having(range)[0];
  const named = nodes.withUid(uid);
  const isRange = holder !== undefined || gone?.ranges.includes(range?.text ?? "") === true;
  const isNamed = named !== undefined || (uid !== undefined && gone?.uid === uid);
  return {
    proofs: [
      ...(isRange ? (["range"] as const) : []),
      ...(nodes.isOurs(target) ? (["machine"] as const) : []),
      ...(isNamed ? (["name"] as const) : []),
    ],
    node: holder ?? nodes.withMachine(target) ?? named,
  };
}

const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
