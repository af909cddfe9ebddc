import { rowsOf } from "./database.ts";

export interface RouteFleet {
  readonly cluster: string;
  readonly nodes: number;
  /** Controllers that the leader reports as running. */
  readonly controllers?: readonly string[];
}

const LOOPS = [
  "cloud-node-controller",
  "node-route-controller",
  "node-ipam-controller",
  "volume-label-controller",
];

/**
 * Writes into a ledger what the route controller would have reported for existing nodes from `node-0001` on. In every twenty-five,
 * each kind of problem occurs once. Adds two tables, the first of them full, foreign and stale routes, three volumes, and a leader
 * whose heartbeat is valid for the next hour.
 */
export async function addRoutes(databaseUrl: string, fleet: RouteFleet): Promise<void> {
  const { cluster, nodes } = fleet;
  await addLeader(databaseUrl, fleet);
  await rowsOf(databaseUrl, SETTINGS, [cluster, JSON.stringify([RANGES])]);
  await rowsOf(databaseUrl, NODES, [cluster]);
  await rowsOf(databaseUrl, WORST, [cluster]);
  const inFirst = nodes - Math.floor(nodes / 3);
  const tables = [
    table({ id: "rtb-a", used: 2 * inFirst + 3, capacity: 2 * inFirst + 3, foreign: FOREIGN }),
    table({ id: "rtb-b", used: 2 * (nodes - inFirst), capacity: 20 * nodes, foreign: [] }),
  ];
  for (const [statement, objects] of [
    [TABLES, tables],
    [STALE_ROUTES, STALE],
    [VOLUMES_SEEN, VOLUMES],
  ] as const) {
    await rowsOf(databaseUrl, statement, [cluster, JSON.stringify(objects)]);
  }
}

/** Adds only a leader: nothing has been observed. */
export async function addLeader(
  databaseUrl: string,
  { cluster, controllers = LOOPS }: Omit<RouteFleet, "nodes">,
): Promise<void> {
  const running = controllers.map((name) => ({ name, queueDepth: 0, oldestMs: 0 }));
  await rowsOf(
    databaseUrl,
    `INSERT INTO controller_instances (cluster_id, identity, version, leader, lease_transitions, heard_at,
                                       watch_silent_ms, spool_bytes, dry_run, controllers)
     VALUES ($1, 'ctl-1', 'test', true, 1, now() + interval '1 hour', 0, 0, false, $2::jsonb)`,
    [cluster, JSON.stringify(running)],
  );
}

const SETTINGS = `
  INSERT INTO controller_settings (cluster_id, identity, at, flags) VALUES ($1, 'ctl-1', now(), $2::jsonb)`;

const RANGES = {
  ...{ name: "cluster-cidr", section: "Route controller", value: "10.64.0.0/10,fd00::/16" },
  ...{ initial: "", source: "flag", isSecret: false, help: "Ranges of the pods." },
};

const NODES = `
  WITH numbered AS (
    SELECT name, uid, created_at, provider_id, address, search_text, substr(name, 6)::int AS n,
           (extract(epoch FROM now()) * 1000)::bigint AS now_ms
      FROM node_states WHERE cluster_id = $1
  ), judged AS (
    SELECT *, 'sandbox://' || md5(name) AS hop, CASE WHEN n % 3 = 0 THEN 'rtb-b' ELSE 'rtb-a' END AS table_id,
           '10.' || 64 + n / 256 || '.' || n % 256 || '.0/24' AS v4, 'fd00:' || to_hex(n) || '::/64' AS v6,
           CASE n % 25 WHEN 7 THEN 'missing' WHEN 8 THEN 'foreign' WHEN 9 THEN 'update' WHEN 11 THEN 'none'
                       WHEN 12 THEN 'blackhole' ELSE 'keep' END AS verdict
      FROM numbered
  ), explained AS (
    SELECT *,
           CASE verdict WHEN 'missing' THEN 'stuck' WHEN 'foreign' THEN 'stuck' WHEN 'none' THEN 'waiting'
                        WHEN 'keep' THEN 'ok' ELSE 'working' END AS judged_state,
           CASE verdict
             WHEN 'missing' THEN jsonb_build_object('code', 'RouteTableFull', 'provider', 'sandbox', 'cidr', v4,
                                                    'message', 'the table holds as many routes as it may')
             WHEN 'foreign' THEN jsonb_build_object('code', 'RouteForeign', 'provider', 'sandbox', 'cidr', v4,
                                                    'id', 'r-foreign', 'owner', 'cluster blue')
             WHEN 'update' THEN jsonb_build_object('code', 'RouteStale', 'destination', v4, 'why', 'otherTarget')
             WHEN 'blackhole' THEN jsonb_build_object('code', 'RouteStale', 'destination', v4, 'why', 'blackhole')
             WHEN 'none' THEN jsonb_build_object('code', 'PodCIDRsMissing')
             ELSE jsonb_build_object('code', 'RouteInStep', 'routes', 2) END AS judged_reason,
           CASE WHEN verdict = 'none' THEN '[]'::jsonb ELSE jsonb_build_array(
             jsonb_strip_nulls(jsonb_build_object(
               'cidr', v4, 'family', 'IPv4', 'verdict', verdict, 'wantedNextHop', hop,
               'changedAt', now_ms - 60000, 'runId', '01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'),
               'evidence', CASE verdict WHEN 'foreign' THEN 'r-foreign belongs to cluster blue' END,
               'route', CASE WHEN verdict <> 'missing' THEN jsonb_build_object(
                 'id', 'r-' || n, 'table', table_id, 'name', md5(name), 'destination', v4, 'nextHop',
                 CASE WHEN verdict IN ('update', 'blackhole', 'foreign') THEN 'sandbox://elsewhere' ELSE hop END) END)),
             jsonb_build_object('cidr', v6, 'family', 'IPv6', 'verdict', 'keep', 'wantedNextHop', hop, 'route',
               jsonb_build_object('id', 'r6-' || n, 'table', table_id, 'name', md5(name), 'destination', v6,
                                  'nextHop', hop))) END AS cells
      FROM judged
  ), reported AS (
    SELECT *, search_text || ' ' || v4 || ' ' || v6 || ' r-' || n AS words, jsonb_build_object(
             'controller', 'node-route-controller', 'at', now_ms, 'state', judged_state, 'reason', judged_reason,
             'since', now_ms - n * 1000, 'failures', CASE judged_state WHEN 'stuck' THEN 5 ELSE 0 END,
             'drift', CASE verdict WHEN 'keep' THEN 'inStep' WHEN 'none' THEN 'inStep' ELSE 'drifted' END,
             'runId', '01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'),
             'outcome', CASE judged_state WHEN 'stuck' THEN 'failed' WHEN 'ok' THEN 'unchanged' ELSE 'changed' END,
             'detail', jsonb_build_object('kind', 'routes', 'cells', cells, 'asOf', now_ms, 'condition',
               jsonb_build_object('status', CASE verdict WHEN 'keep' THEN 'False' ELSE 'True' END,
                                  'reason', CASE verdict WHEN 'keep' THEN 'RouteCreated' ELSE 'NoRouteCreated' END))) AS part
      FROM explained
  ), routes AS (
    INSERT INTO route_states (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since,
                              failures, drift, last_run_id, last_run_outcome, last_run_at, created_at, updated_at,
                              provider_id, address, search_text, detail, "table", routes_wanted, routes_kept, range_verdicts)
    SELECT $1, 'NodeRoutes', name, uid, '{}', judged_state,
           array_position('{stuck,unknown,waiting,working,held,ok,gone}'::text[], judged_state) - 1, judged_reason,
           judged_reason ->> 'code', 'node-route-controller', to_timestamp((now_ms - n * 1000) / 1000.0),
           (part ->> 'failures')::int, part ->> 'drift', part ->> 'runId', part ->> 'outcome', now(), created_at, now(),
           provider_id, address, words, part -> 'detail', CASE verdict WHEN 'none' THEN NULL ELSE table_id END,
           jsonb_array_length(cells), CASE verdict WHEN 'keep' THEN 2 WHEN 'none' THEN 0 ELSE 1 END,
           CASE verdict WHEN 'none' THEN '{}' WHEN 'keep' THEN '{keep}' ELSE ARRAY[verdict, 'keep'] END
      FROM reported
  )
  UPDATE node_states AS node
     SET parts = parts || jsonb_build_object('node-route-controller', part),
         timeline = jsonb_build_array(
           jsonb_build_object('step', 'registered', 'state', 'done', 'tries', 0, 'startedAt', now_ms - 90000,
                              'endedAt', now_ms - 90000),
           jsonb_build_object('step', 'initialised', 'state', 'done', 'tries', 1, 'startedAt', now_ms - 89000,
                              'endedAt', now_ms - 88000)),
         search_text = words
    FROM reported WHERE node.cluster_id = $1 AND node.name = reported.name`;

/** A Node's row shows the worst state of its controllers, and has drifted if one of them reports drift. */
const WORST = `
  UPDATE node_states AS node
     SET drift = routes.drift,
         state = CASE WHEN is_worse THEN routes.state ELSE node.state END,
         state_rank = LEAST(node.state_rank, routes.state_rank),
         since = CASE WHEN is_worse THEN routes.since ELSE node.since END,
         controller = CASE WHEN is_worse THEN routes.controller ELSE node.controller END,
         reason = CASE WHEN is_worse THEN routes.reason ELSE node.reason END,
         reason_code = CASE WHEN is_worse THEN routes.reason_code ELSE node.reason_code END
    FROM (SELECT routes.*, routes.state_rank < known.state_rank AS is_worse
            FROM route_states AS routes JOIN node_states AS known USING (cluster_id, name)
           WHERE routes.kind = 'NodeRoutes') AS routes
   WHERE node.cluster_id = $1 AND routes.cluster_id = $1 AND node.name = routes.name`;

/** Objects of one table's kinds, with its own columns in addition to the common ones. */
function objectsIn(table: string, own: Readonly<Record<string, string>> = {}): string {
  return `
  INSERT INTO ${table} (${[SHARED_COLUMNS, ...Object.keys(own)].join(", ")})
  SELECT ${[SHARED_VALUES, ...Object.values(own)].join(", ")}
    FROM jsonb_to_recordset($2::jsonb)
      AS given(kind text, name text, state text, controller text, drift text, reason jsonb, zone text, detail jsonb)`;
}

const SHARED_COLUMNS = `
  cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since, failures, drift,
  last_run_id, last_run_outcome, last_run_at, updated_at, provider_id, search_text, detail`;

const SHARED_VALUES = `
  $1, given.kind, given.name, given.name, '{}', given.state,
  array_position('{stuck,unknown,waiting,working,held,ok,gone}'::text[], given.state) - 1, given.reason,
  given.reason ->> 'code', given.controller, now() - interval '7 minutes', 0, given.drift,
  '01900000-0000-7000-8000-0000000000ff', 'unchanged', now(), now(),
  given.detail ->> 'volumeId', lower(given.name || ' ' || given.detail::text), given.detail`;

const TABLES = objectsIn("all_states");
const STALE_ROUTES = objectsIn("route_states", { '"table"': "given.detail ->> 'table'" });
const VOLUMES_SEEN = objectsIn("volume_states", {
  zone: "given.zone",
  storage_class: "given.detail ->> 'storageClass'",
});

function table(of: {
  readonly id: string;
  readonly used: number;
  readonly capacity: number;
  readonly foreign: readonly object[];
}) {
  const { id, used, capacity, foreign } = of;
  return {
    ...{ kind: "RouteTable", name: id, state: "ok", controller: "node-route-controller" },
    drift: "inStep",
    reason: { code: "RouteTableSeen", used, capacity, foreign: foreign.length },
    detail: {
      ...{ kind: "table", tableName: `main ${id}`, used, capacity, ours: used - foreign.length },
      ...{ missing: foreign.length === 0 ? 0 : 1, foreignCount: foreign.length, foreign },
      asOf: Date.now(),
    },
  };
}

const FOREIGN = [
  {
    ...{ id: "r-default", name: "to the internet", destination: "0.0.0.0/0", nextHop: "igw-1" },
    ...{ blackhole: false, inRange: false },
  },
  {
    ...{ id: "r-foreign", name: "blue", destination: "10.64.8.0/24", owner: "cluster blue" },
    ...{ nextHop: "sandbox://elsewhere", blackhole: false, inRange: true },
  },
  {
    ...{ id: "r-hole", name: "made by hand", destination: "10.64.77.0/24" },
    ...{ blackhole: true, inRange: true },
  },
];

const REFUSED = {
  ...{ code: "ProviderRefused", provider: "sandbox", operation: "DELETE /v1/routes" },
  message: "the table is locked",
};

const STALE = [
  stale(9001, "working", {
    ...{ code: "RouteStale", destination: "10.64.201.0/24", why: "nodeGone" },
  }),
  stale(9002, "stuck", REFUSED),
  stale(9003, "stuck", REFUSED),
];

function stale(number: number, state: string, reason: object) {
  return {
    ...{ kind: "Route", name: `r-${number}`, state, controller: "node-route-controller" },
    ...{ drift: "drifted", reason },
    detail: {
      ...{ kind: "route", table: "rtb-a", destination: `10.64.${number - 8800}.0/24` },
      ...{ blackhole: true, owner: `node-${number}` },
    },
  };
}

const PLACE = { zone: "zone-1", region: "region-1" };

function volume(name: string, over: Readonly<Record<string, unknown>>, labels: object) {
  const { affinity = "set", ...rest } = over;
  return {
    ...{ kind: "PersistentVolume", name, state: "ok", controller: "volume-label-controller" },
    ...{ drift: "inStep", zone: "zone-1", reason: { code: "VolumeInStep", id: `vol-${name}` } },
    detail: {
      ...{ kind: "volume", volumeId: `vol-${name}`, storageClass: "fast", claim: `shop/${name}` },
      ...{ affinity, sizeGiB: { cloud: 10, volume: 10, claimed: 10 }, labels },
    },
    ...rest,
  };
}

const VOLUMES = [
  volume("pv-data", {}, { wanted: PLACE, has: PLACE }),
  volume(
    "pv-moved",
    {
      ...{ state: "stuck", drift: "drifted" },
      reason: { code: "VolumeAffinityConflict", has: "zone-2", wanted: "zone-1" },
      affinity: "conflict",
    },
    { wanted: PLACE, has: { ...PLACE, zone: "zone-2" } },
  ),
  volume(
    "pv-new",
    {
      state: "working",
      drift: "drifted",
      reason: { code: "VolumeLabelsDiffer", labels: ["zone"] },
    },
    { wanted: PLACE, has: {} },
  ),
];
