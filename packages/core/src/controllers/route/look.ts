import type { Node } from "../../kube/client.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Reason } from "../../model/reason.ts";
import type { SeenRoutes } from "../../provider/route-port.ts";
import type { CloudRoute } from "../../provider/routes.ts";
import { nameOf, uidOf } from "../object-meta.ts";
import type {
  DepartedObserved,
  NodeObserved,
  RangeObserved,
  RoutePolicy,
  StaleRoute,
  Unconfirmed,
} from "./observed.ts";
import { type PodRange, podRangesOf, textOf } from "./pod-ranges.ts";
import type { Judged, RouteWorld, Stale } from "./route-world.ts";

/** One look at the cloud, as everything that is compared with it shares it. */
export interface Look {
  readonly world: RouteWorld;
  readonly seen: SeenRoutes;
  readonly unconfirmed: Unconfirmed | undefined;
  readonly provider: string;
  readonly policy: RoutePolicy;
}

type JudgedStale = Judged & Stale;

/** What a look shows of one Node. `judged` are at least those routes that concern it. */
export function nodeInLook(
  look: Look,
  { node, judged }: { readonly node: Node; readonly judged: readonly Judged[] },
  failures: ReadonlyMap<string, Reason>,
): NodeObserved {
  const { world, seen, unconfirmed, provider, policy } = look;
  const name = nameOf(node);
  const ranges = podRangesOf(node).map((one) => rangeInLook(world, { name, one, judged }));
  const held = new Set(ranges.filter(({ refused }) => refused === undefined).map(cidrOf));
  return {
    kind: "node",
    key: name,
    node,
    provider,
    policy,
    strangeness: world.strangenessOf(node),
    ranges,
    stale: staleOf(judged, name).filter(
      ({ destination, isResponsible }) => isResponsible && !held.has(destination),
    ),
    unconfirmed,
    failures,
    asOf: seen.asOf,
  };
}

/** What a look shows of a Node that went; undefined when it has left nothing behind. */
export function departedInLook(
  { unconfirmed }: Look,
  { object, judged }: { readonly object: ObjectRef; readonly judged: readonly Judged[] },
): DepartedObserved | undefined {
  const stale = staleOf(judged, object.name).filter(({ isResponsible }) => isResponsible);
  if (stale.length === 0) return undefined;
  return { kind: "departed", key: object.name, object, stale, unconfirmed };
}

/** The routes that a run for this Node is about, found without looking at all the others. */
export function concerning(
  { world, seen }: Pick<Look, "world" | "seen">,
  { name, node }: { readonly name: string; readonly node: Node | undefined },
): readonly Judged[] {
  const destinations = node === undefined ? [] : podRangesOf(node).map(textOf);
  const uid = node === undefined ? undefined : uidOf(node);
  const { owners, machines, nodeNames } = world.nodes.tracesOf(name);
  const traits = {
    destinations,
    owners: uid === undefined ? owners : [...owners, uid],
    machines,
    nodeNames,
  };
  const isAbout = (route: CloudRoute) =>
    destinations.includes(world.rangeOf(route)?.text ?? "") ||
    (uid !== undefined && route.mark?.objectUid === uid) ||
    world.nodes.withMachine(route.target) === name ||
    world.nodes.gone(route.mark?.objectUid, route.target)?.name === name;
  return seen
    .having(traits)
    .filter(isAbout)
    .map((route) => world.judge(route));
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

interface RangeInLook {
  readonly name: string;
  readonly one: PodRange;
  readonly judged: readonly Judged[];
}

function rangeInLook(world: RouteWorld, { name, one, judged }: RangeInLook): RangeObserved {
  const cidr = textOf(one);
  const refused = refusalOf(world, name, one);
  const family = one.kind === "range" ? one.range.family : cidr.includes(":") ? "IPv6" : "IPv4";
  if (refused !== undefined) return { ...NO_ROUTES, cidr, family, refused };
  const here = judged.filter(({ range }) => range?.text === cidr);
  const foreign = here.find((other) => other.kind === "foreign");
  return {
    cidr,
    family,
    refused,
    right: here.find((other) => other.kind === "right" && other.node === name)?.route,
    wrong: staleOf(here, name),
    foreign: foreign === undefined ? undefined : { route: foreign.route, owner: foreign.owner },
  };
}

const NO_ROUTES = { right: undefined, wrong: [], foreign: undefined } as const;

function refusalOf(world: RouteWorld, name: string, one: PodRange): Reason | undefined {
  if (one.kind === "invalid") return one.reason;
  const unsupported = world.unsupported(one.range);
  if (unsupported !== undefined) return unsupported;
  const { text } = one.range;
  const rival = world.nodes.claims.rivalOf(name, one.range);
  if (rival === undefined) return undefined;
  if (rival.cidr === text) return { code: "PodCIDRDuplicate", cidr: text, other: rival.name };
  return { code: "PodCIDROverlap", cidr: text, other: rival.name, otherCIDR: rival.cidr };
}

function cidrOf({ cidr }: RangeObserved): string {
  return cidr;
}
