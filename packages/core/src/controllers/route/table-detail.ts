import type { RouteTable } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import { MOST_FOREIGN_ROUTES, type RouteTableDetail } from "../../model/records/route-record.ts";
import { nameOf } from "../objects/object-meta.ts";
import { nextHopOf } from "./changes.ts";
import { podRangesOf } from "./claims/pod-ranges.ts";
import type { Judged, RouteClassifier } from "./claims/route-classifier.ts";
import type { Observation } from "./observation.ts";

type Foreign = Extract<Judged, { readonly kind: "foreign" }>;

/** Returns what the pages show of a table: its room, our routes in it, and everybody else's. */
export function tableDetail(
  { classifier, seen }: Pick<Observation, "classifier" | "seen">,
  table: RouteTable,
  nodes: readonly Node[],
): RouteTableDetail {
  const judged = seen.routes.map((route) => classifier.judge(route));
  return tableDetailOf({ classifier, judged, asOf: seen.asOf }, table, nodes);
}

export interface JudgedObservation {
  readonly classifier: RouteClassifier;
  /** Every route of the listing. */
  readonly judged: readonly Judged[];
  readonly asOf: number;
}

export function tableDetailOf(
  { classifier, judged, asOf }: JudgedObservation,
  { id, name, used, capacity }: RouteTable,
  nodes: readonly Node[],
): RouteTableDetail {
  const here = judged.filter(({ route }) => route.table === id);
  const foreign = here.filter((one) => one.kind === "foreign");
  return {
    kind: "table",
    tableName: name,
    used,
    ...(capacity === undefined ? {} : { capacity }),
    ours: here.length - foreign.length,
    missing: missingOf(classifier, judged, nodes),
    foreignCount: foreign.length,
    foreign: shownOf(classifier, foreign),
    asOf,
  };
}

/** Returns the pod ranges of Nodes without a route; those of other clouds' machines need none. */
export function missingOf(
  classifier: RouteClassifier,
  judged: readonly Judged[],
  nodes: readonly Node[],
): number {
  const served = new Set(
    judged.flatMap((one) => (one.kind === "right" ? [`${one.node} ${one.range?.text}`] : [])),
  );
  const ofThisCloud = nodes.filter((node) => classifier.strangenessOf(node) === undefined);
  const wanted = ofThisCloud.flatMap((node) =>
    podRangesOf(node).flatMap((one) =>
      one.kind === "range" && classifier.nodes.claims.holderOf(one.range) === nameOf(node)
        ? [`${nameOf(node)} ${one.range.text}`]
        : [],
    ),
  );
  return wanted.filter((one) => !served.has(one)).length;
}

function shownOf(
  classifier: RouteClassifier,
  foreign: readonly Foreign[],
): RouteTableDetail["foreign"] {
  const shown = foreign.map(({ route, range, owner, claim }) => {
    const nextHop = nextHopOf(route);
    return {
      id: route.id,
      name: route.name,
      destination: route.destination,
      ...(nextHop === undefined ? {} : { nextHop }),
      owner,
      blackhole: route.blackhole,
      inRange: classifier.isResponsible(range),
      ...(claim === undefined ? {} : { proofs: claim.proofs }),
    };
  });
  const sorted = shown.toSorted((left, right) => Number(right.inRange) - Number(left.inRange));
  return sorted.slice(0, MOST_FOREIGN_ROUTES);
}
