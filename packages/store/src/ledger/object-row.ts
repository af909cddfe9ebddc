import type { KnownObject } from "@cloudwright/core/model/kinds/known-object";
import type { NodeFacts } from "@cloudwright/core/model/node-record";
import { reasonName } from "@cloudwright/core/model/reason";
import { STATES, type State } from "@cloudwright/core/model/state";
import { balancerColumns } from "./balancer-columns.ts";
import type { Expected } from "./expected-controllers.ts";
import { driftOf, listParts } from "./object-projection.ts";
import { cloudRouteWords, NO_ROUTES, nodeRouteColumns, routeWords } from "./route-columns.ts";
import { shownPart } from "./shown-part.ts";
import { volumeColumns } from "./volume-columns.ts";

/**
 * The columns of `object_states` for a projection, as JSON for one bulk insert; times in milliseconds. `expected`: the
 * controllers that run and whose word is waited for.
 */
export function objectRow(object: KnownObject, expected?: Expected): object {
  const shown = shownPart(object, expected);
  const newest = listParts(object.parts).toSorted((left, right) => right.at - left.at)[0];
  if (shown === undefined || newest === undefined) {
    throw new Error(`The projection of ${object.name} has no controller's part.`);
  }
  return {
    cluster_id: object.cluster,
    kind: object.kind,
    name: object.name,
    uid: object.uid,
    parts: object.parts,
    state: shown.state,
    state_rank: STATES.indexOf(shown.state),
    reason: shown.reason,
    reason_code: reasonName(shown.reason),
    controller: shown.controller,
    since: shown.since,
    next_at: shown.nextAt ?? null,
    failures: shown.failures,
    drift: driftOf(object.parts),
    last_run_id: newest.runId,
    last_run_outcome: newest.outcome,
    last_run_at: newest.at,
    gone_at: shown.state === "gone" ? shown.since : null,
    updated_at: newest.at,
    node: object.node ?? null,
    cloud: object.cloud ?? null,
    wanted: object.wanted ?? null,
    timeline: object.timeline ?? null,
    detail: object.detail ?? null,
    dry_run: object.dryRun,
    ...NOTHING_TOLD,
    ...NO_ROUTES,
    ...columnsOf(object, shown.state, expected),
  };
}

/** The columns that only some kinds of objects fill. */
const NOTHING_TOLD = {
  created_at: null,
  initialised_at: null,
  init_ms: null,
  zone: "",
  instance_type: "",
  provider_id: null,
  addresses: [],
  ready: null,
  members_in: null,
  members_wanted: null,
  changed_at: null,
  verdicts: null,
} as const;

function columnsOf(object: KnownObject, shown: State, expected: Expected): object {
  switch (object.kind) {
    case "Node":
      return { ...factColumns(object), ...nodeRouteColumns(object, shown, expected) };
    case "Service":
    case "LoadBalancer":
      return balancerColumns(object);
    case "PersistentVolume":
      return volumeColumns(object);
    default:
      return { search_text: [object.name, ...cloudRouteWords(object)].join(" ").toLowerCase() };
  }
}

function factColumns(object: KnownObject): object {
  const facts = shownFacts(object);
  return {
    created_at: object.node?.createdAt ?? null,
    initialised_at: object.initialisedAt ?? null,
    init_ms: initialisationMs(object),
    zone: facts.zone ?? "",
    instance_type: facts.instanceType ?? "",
    provider_id: facts.providerID ?? null,
    addresses: facts.addresses ?? [],
    ready: object.node?.ready ?? null,
    search_text: searchText(object, facts),
  };
}

/** What the node has; where it has nothing yet, what the cloud says. */
function shownFacts({ node, cloud }: KnownObject): Partial<NodeFacts> {
  const own = withoutUndefined(node?.facts ?? {});
  if (own.addresses?.length === 0) delete own.addresses;
  return { ...cloud, ...own };
}

function initialisationMs({ node, initialisedAt }: KnownObject): number | null {
  if (initialisedAt === undefined || node === undefined) return null;
  return Math.max(0, Math.round(initialisedAt - node.createdAt));
}

function searchText(object: KnownObject, facts: Partial<NodeFacts>): string {
  const addresses = facts.addresses?.map((entry) => entry.address) ?? [];
  return [object.name, facts.providerID ?? "", ...addresses, ...routeWords(object)]
    .join(" ")
    .toLowerCase();
}

type Writable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] };

function withoutUndefined(facts: Partial<NodeFacts>): Writable<Partial<NodeFacts>> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
