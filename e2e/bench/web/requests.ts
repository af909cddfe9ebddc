import { CLUSTER, nodeName } from "../fleet-rows.ts";

/** A request of a page: for its first screen, or with a filter. */
export interface PageRequest {
  readonly title: string;
  readonly kind: "first page" | "filter";
  readonly procedure: string;
  /** Different in each round, so that no round only repeats what the previous one has warmed. */
  readonly input: (round: number) => object | undefined;
}

/** The server's time limit in milliseconds for 95 of 100 requests. */
export const AIM_MS = { "first page": 100, filter: 200 } as const;

/** As in the dashboard's lists: the first page is shorter than the following ones. */
const PAGE = { limit: 200, first: 60 } as const;
const DAY_MS = 86_400_000;

/** The ids of requested objects, which differ in each ledger. */
export interface ShownIds {
  readonly run: string;
  readonly action: string;
  readonly batch: string;
}

/** Nodes are numbered from 1 to `nodes`. */
export function pageRequests(nodes: number, shown: ShownIds): readonly PageRequest[] {
  const nodeOf = (round: number) => nodeName(1 + ((round * 7_919) % nodes));
  return [
    first("Clusters", "clusters.list", undefined),
    ofFleet("Clusters, their causes", "fleet.causes", () => undefined),
    ofFleet("Clusters, compared", "fleet.settings", () => undefined),
    ofFleet("Clusters, an object of any", "fleet.find", (round) => ({ text: nodeOf(round) })),
    first("Overview", "overview.byCluster", {}),
    first("Nodes", "nodes.list", listOf({}, "state")),
    filter("Nodes, by text", "nodes.list", (round) => listOf({ text: nodeOf(round) }, "state")),
    filter("Nodes, stuck", "nodes.list", () => listOf({ states: ["stuck"] }, "state")),
    filter("Nodes, one zone", "nodes.list", () => listOf({ zones: ["zone-1"] }, "name")),
    filter("Nodes, by time of initialisation", "nodes.list", () => listOf({}, "init")),
    first("Nodes, how long initialisation took", "nodes.initialisation", () => lastHours(1)),
    filter("Nodes, how long it took in 7 days", "nodes.initialisation", () => lastHours(7 * 24)),
    first("Node", "nodes.byName", (round) => ({ name: nodeOf(round) })),
    first("Node, its load balancers", "balancers.ofNode", (round) => ({ name: nodeOf(round) })),
    first("Load balancers", "balancers.list", listOf({}, "state")),
    filter("Load balancers, by text", "balancers.list", (round) =>
      listOf({ text: `frontend-${String(1 + (round % 999)).padStart(4, "0")}` }, "state"),
    ),
    filter("Load balancers, drifted", "balancers.list", () =>
      listOf({ drift: "drifted" }, "state"),
    ),
    first("Orphans", "balancers.orphans", listOf({}, "name")),
    first("Routes", "routes.list", routesOf({})),
    first("Routes, the tables", "routes.tables", {}),
    filter("Routes, by text", "routes.list", (round) => routesOf({ text: nodeOf(round) })),
    filter("Routes, missing", "routes.list", () => routesOf({ verdicts: ["missing"] })),
    filter("Routes, one table", "routes.list", () => routesOf({ table: "rtb-a" })),
    first("Routes, the matrix", "routes.map", {}),
    first("Routes, foreign ones", "routes.foreign", listOf({}, "destination")),
    first("Routes, stale ones", "routes.stale", listOf({}, "name")),
    first("Topology, nodes", "topology.nodes", {}),
    first("Topology, Services", "topology.services", {}),
    first("Takeover", "takeover.byCluster", {}),
    first("Dry run", "shadow.pending", listOf({}, "object")),
    filter("Dry run, everything", "shadow.pending", () => listOf({ show: "all" }, "object")),
    first("Volumes", "volumes.list", listOf({}, "name")),
    ...runRequests(nodeOf),
    ...auditRequests(nodeOf),
    ...changeRequests(nodeOf),
    first("Incidents", "incidents.list", {}),
    first("Actions", "intents.list", listOf({ acting: true }, "requested", true)),
    first("Action", "intents.byId", { id: shown.action }),
    first("Batch of actions", "intents.list", listOf({ batch: shown.batch }, "requested", true)),
    first("Run", "runs.byId", { id: shown.run }),
    first("Run, its Events", "runs.events", { id: shown.run }),
    ofFleet("Saved views", "savedViews.list", () => undefined),
    first("Budget, the last hour", "budget.byCluster", { range: "hour" }),
    first("Controllers", "controllers.activity", {}),
    first("Controllers, their settings", "controllers.settings", {}),
    filter("Search, by name", "search.find", (round) => ({ text: nodeOf(round) })),
    filter("Search, by address", "search.find", (round) => ({ text: `10.0.1.${round % 250}` })),
  ];
}

function runRequests(nodeOf: (round: number) => string): readonly PageRequest[] {
  const runs = (conditions: object) => listOf(conditions, "started", true);
  return [
    first("Runs", "runs.list", runs({})),
    first("Runs, the histogram of a day", "runs.histogram", lastDays(1)),
    filter("Runs, the histogram of 30 days", "runs.histogram", () => lastDays(30)),
    filter("Runs, failed", "runs.list", () => runs({ outcomes: ["failed"] })),
    filter("Runs, timed out", "runs.list", () => runs({ outcomes: ["timedOut"] })),
    filter("Runs, of one node", "runs.list", (round) => runs({ key: nodeOf(round) })),
    filter("Runs, of names that begin so", "runs.list", (round) =>
      runs({ key: `${nodeOf(round).slice(0, -1)}*` }),
    ),
    filter("Runs, by reason", "runs.list", () => runs({ reason: "InstanceStopped" })),
    filter("Runs, retries", "runs.list", () => runs({ triggers: ["retry"] })),
    filter("Runs, with four calls or more", "runs.list", () => runs({ minCalls: 4 })),
    filter("Runs, not unchanged", "runs.list", () => runs({ not: { outcomes: ["unchanged"] } })),
    filter("Runs, twenty days ago", "runs.list", () =>
      runs({ from: Date.now() - 21 * DAY_MS, to: Date.now() - 20 * DAY_MS }),
    ),
  ];
}

function auditRequests(nodeOf: (round: number) => string): readonly PageRequest[] {
  const entries = (conditions: object) => listOf(conditions, "inserted", true);
  return [
    first("Audit", "audit.list", entries({ withoutPreviews: true })),
    first("Audit, the chain", "audit.chain", {}),
    first("Audit, the histogram of a day", "audit.histogram", lastDays(1)),
    filter("Audit, by user", "audit.list", () => entries({ actorName: "ana@example.test" })),
    filter("Audit, by what was done", "audit.list", () => entries({ action: "intent.*" })),
    filter("Audit, of one node", "audit.list", (round) =>
      entries({ object: { kind: "Node", name: nodeOf(round) } }),
    ),
    filter("Audit, refused", "audit.list", () => entries({ result: "refused" })),
    filter("Audit, a word of many entries", "audit.list", () => entries({ text: "outage" })),
    filter("Audit, a word of one entry", "audit.list", (round) =>
      entries({ text: `INC-${5 * (1 + round)}:` }),
    ),
    filter("Audit, a word of no entry", "audit.list", (round) =>
      entries({ text: `nowhere-${round}` }),
    ),
  ];
}

/** Requests for changes: as the page opens, first those of the last hour. */
function changeRequests(nodeOf: (round: number) => string): readonly PageRequest[] {
  const since = (days: number, conditions: object = {}) =>
    listOf({ from: Date.now() - days * DAY_MS, to: Date.now(), ...conditions }, "kind");
  return [
    first("Changes", "changes.list", () => since(1 / 24)),
    filter("Changes, of a day", "changes.list", () => since(1)),
    filter("Changes, of 30 days", "changes.list", () => since(30)),
    filter("Changes, of a day ten days ago", "changes.list", () =>
      since(11, { to: Date.now() - 10 * DAY_MS }),
    ),
    filter("Changes, Services of a day", "changes.list", () => since(1, { kinds: ["Service"] })),
    filter("Changes, worse than a day ago", "changes.list", () =>
      since(1, { directions: ["worse"] }),
    ),
    filter("Changes, of a day, by text", "changes.list", (round) =>
      since(1, { text: nodeOf(round) }),
    ),
  ];
}

function listOf(conditions: object, by: string, descending = false): NonNullable<Input> {
  return { filter: conditions, sort: { by, descending }, ...PAGE };
}

/** Only that list begins with a page of the usual size. */
function routesOf(conditions: object): NonNullable<Input> {
  return { ...listOf(conditions, "state"), first: PAGE.limit };
}

function lastDays(days: number): NonNullable<Input> {
  return { filter: { from: Date.now() - days * DAY_MS, to: Date.now() }, parts: 60 };
}

function lastHours(hours: number): NonNullable<Input> {
  return { from: Date.now() - hours * 3_600_000, to: Date.now() };
}

/** Undefined for a procedure without an input. */
type Input = Readonly<Record<string, unknown>> | undefined;

function first(
  title: string,
  procedure: string,
  input: Input | ((round: number) => NonNullable<Input>),
): PageRequest {
  const of = typeof input === "function" ? input : () => input;
  return { title, kind: "first page", procedure, input: inCluster(of) };
}

/** A request across clusters. */
function ofFleet(title: string, procedure: string, input: (round: number) => Input): PageRequest {
  return { title, kind: "first page", procedure, input };
}

function filter(
  title: string,
  procedure: string,
  input: (round: number) => NonNullable<Input>,
): PageRequest {
  return { title, kind: "filter", procedure, input: inCluster(input) };
}

function inCluster(of: (round: number) => Input): PageRequest["input"] {
  return (round) => {
    const own = of(round);
    return own === undefined ? undefined : { cluster: CLUSTER, ...own };
  };
}
