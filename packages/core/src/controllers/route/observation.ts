import type { CloudRoute } from "@cloudwright/provider-api";
import type { SeenRoutes } from "../../cloud/ports.ts";
import type { Node } from "../../kube/client.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Reason } from "../../model/reason.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import { type PodRange, podRangesOf, textOf } from "./claims/pod-ranges.ts";
import type { Judged, RouteClassifier, Stale } from "./claims/route-classifier.ts";
import type {
  ClaimedRoute,
  DepartedObserved,
  NodeObserved,
  RangeObserved,
  RouteAdoption,
  RoutePolicy,
  StaleRoute,
  Unconfirmed,
} from "./observed.ts";

/** One observation of the cloud, shared by everything that is compared with it. */
export interface Observation {
  readonly classifier: RouteClassifier;
  readonly seen: SeenRoutes;
  readonly unconfirmed: Unconfirmed | undefined;
  readonly provider: string;
  readonly policy: RoutePolicy;
}

type JudgedStale = Judged & Stale;

/** Returns what an observation shows of one Node. `judged` includes at least the routes that concern it. */
export function nodeInObservation(
  observe: Observation,
  { node, judged, adoption }: NodeObservation,
  failures: ReadonlyMap<string, Reason>,
): NodeObserved {
  const { classifier, seen, unconfirmed, provider, policy } = observe;
  const name = nameOf(node);
  const ranges = podRangesOf(node).map((one) =>
    rangeInObservation(classifier, { name, one, judged }),
  );
  const held = new Set(ranges.filter(({ refused }) => refused === undefined).map(cidrOf));
  return {
    kind: "node",
    key: name,
    node,
    provider,
    policy,
    strangeness: classifier.strangenessOf(node),
    ranges,
    stale: staleOf(judged, name).filter(
      ({ destination, isResponsible }) => isResponsible && !held.has(destination),
    ),
    claims: claimsOf(judged, name).filter(({ destination }) => !held.has(destination)),
    adoption,
    unconfirmed,
    withoutMachine: undefined,
    failures,
    asOf: seen.asOf,
  };
}

interface NodeObservation {
  readonly node: Node;
  readonly judged: readonly Judged[];
  readonly adoption?: RouteAdoption | undefined;
}

function claimsOf(judged: readonly Judged[], name: string): readonly ClaimedRoute[] {
  return judged.flatMap((one) => {
    if (one.kind !== "foreign" || one.claim?.node !== name) return [];
    const destination = one.range?.text ?? one.route.destination;
    return [{ route: one.route, destination, proofs: one.claim.proofs }];
  });
}

/** Returns the routes with consent applied: an adopted route is ours, and stale if it does not fit. */
export function consentedTo(
  judged: readonly Judged[],
  id: string | undefined,
): { readonly judged: readonly Judged[]; readonly isFound: boolean } {
  const isMeant = ({ route, ...one }: Judged) =>
    one.kind === "foreign" && one.claim?.node !== undefined && route.id === id;
  return {
    isFound: judged.some(isMeant),
    judged: judged.map((one) => (isMeant(one) ? asStale(one) : one)),
  };
}

function asStale(one: Judged): Judged {
  if (one.kind !== "foreign" || one.claim?.node === undefined) return one;
  const { route, range, claim } = one;
  const isWanted = claim.proofs.includes("range");
  const why = route.blackhole ? "blackhole" : isWanted ? "otherTarget" : "notAsked";
  const key = one.claim.node;
  return { route, range, kind: "stale", why, key, isResponsible: true, sawItGo: false };
}

/** Returns what an observation shows of a deleted Node; undefined if it has left nothing behind. */
export function departedInObservation(
  { unconfirmed }: Observation,
  { object, judged }: { readonly object: ObjectRef; readonly judged: readonly Judged[] },
): DepartedObserved | undefined {
  const stale = staleOf(judged, object.name).filter(({ isResponsible }) => isResponsible);
  if (stale.length === 0) return undefined;
  return { kind: "departed", key: object.name, object, stale, unconfirmed };
}

/** Returns the routes that a run for this Node is about, found without iterating over all others. */
export function concerning(
  { classifier, seen }: Pick<Observation, "classifier" | "seen">,
  { name, node }: { readonly name: string; readonly node: Node | undefined },
): readonly Judged[] {
  const destinations = node === undefined ? [] : podRangesOf(node).map(textOf);
  const uid = node === undefined ? undefined : uidOf(node);
  const traces = classifier.nodes.tracesOf(name);
  const { owners, machines, nodeNames } = traces;
  const traits = {
    destinations: [...destinations, ...traces.destinations],
    owners: uid === undefined ? owners : [...owners, uid],
    machines,
    nodeNames,
  };
  const isAbout = (route: CloudRoute) =>
    destinations.includes(classifier.rangeOf(route)?.text ?? "") ||
    (uid !== undefined && route.owner?.objectUid === uid) ||
    classifier.nodes.withMachine(route.target) === name ||
    classifier.goneNodeOf(route)?.name === name;
  return seen
    .having(traits)
    .filter(isAbout)
    .map((route) => classifier.judge(route));
}

export function staleRoute(judged: JudgedStale): StaleRoute {
  const { route, range, why, isResponsible } = judged;
  return { route, destination: range?.text ?? route.destination, why, isResponsible };
}

function staleOf(judged: readonly Judged[], key: string): readonly StaleRoute[] {
  return judged.flatMap((one) =>
    one.kind === "stale" && one.key === key ? [staleRoute(one)] : [],
  );
}

interface RangeInObservation {
  readonly name: string;
  readonly one: PodRange;
  readonly judged: readonly Judged[];
}

function rangeInObservation(
  classifier: RouteClassifier,
  { name, one, judged }: RangeInObservation,
): RangeObserved {
  const cidr = textOf(one);
  const refused = refusalOf(classifier, name, one);
  const family = one.kind === "range" ? one.range.family : cidr.includes(":") ? "IPv6" : "IPv4";
  if (refused !== undefined) return { ...NO_ROUTES, cidr, family, refused };
  const here = judged.filter(({ range }) => range?.text === cidr);
  const foreign = here.find((other) => other.kind === "foreign");
  return {
    cidr,
    family,
    refused,
    ...rightIn(here, name),
    wrong: staleOf(here, name),
    foreign: foreign === undefined ? undefined : foreignOf(foreign),
  };
}

function rightIn(
  here: readonly Judged[],
  name: string,
): Pick<RangeObserved, "right" | "ownership"> {
  const right = here.find((other) => other.kind === "right" && other.node === name);
  if (right?.kind !== "right") return { right: undefined };
  const { route, ownership } = right;
  return { right: route, ...(ownership === undefined ? {} : { ownership }) };
}

function foreignOf({
  route,
  owner,
  claim,
}: Extract<Judged, { readonly kind: "foreign" }>): RangeObserved["foreign"] {
  return { route, owner, ...(claim === undefined ? {} : { claim }) };
}

const NO_ROUTES = { right: undefined, wrong: [], foreign: undefined } as const;

function refusalOf(classifier: RouteClassifier, name: string, one: PodRange): Reason | undefined {
  if (one.kind === "invalid") return one.reason;
  const unsupported = classifier.unsupported(one.range);
  if (unsupported !== undefined) return unsupported;
  const { text } = one.range;
  const rival = classifier.nodes.claims.rivalOf(name, one.range);
  if (rival === undefined) return undefined;
  if (rival.cidr === text) return { code: "PodCIDRDuplicate", cidr: text, other: rival.name };
  return { code: "PodCIDROverlap", cidr: text, other: rival.name, otherCIDR: rival.cidr };
}

function cidrOf({ cidr }: RangeObserved): string {
  return cidr;
}
