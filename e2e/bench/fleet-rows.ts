import { rowsOf } from "../harness/database.ts";

export const CLUSTER = "6f3c2a10-0000-4000-8000-000000000001";

/** Returns the name of the node with this number, counted from 1; names sort by number. */
export function nodeName(number: number): string {
  return `node-${String(number).padStart(4, "0")}`;
}

/** Fills an empty ledger with the last known states of a fleet in which one node in fifty is stuck and one in forty waits. */
export async function fillFleet(databaseUrl: string, nodes: number): Promise<void> {
  await rowsOf(
    databaseUrl,
    "INSERT INTO clusters (id, name, provider, last_heard_at) VALUES ($1, 'large', 'sandbox', now())",
    [CLUSTER],
  );
  await rowsOf(databaseUrl, FILL, [CLUSTER, nodes]);
}

/** Records a new observation of every `step`th node, as in its controller's periodic round. */
export async function touchFleet(databaseUrl: string, step: number): Promise<void> {
  await rowsOf(databaseUrl, TOUCH, [CLUSTER, step]);
}

/** Records a new observation of every `step`th node's routes. */
export async function touchRoutes(
  databaseUrl: string,
  { step, isChanged }: { readonly step: number; readonly isChanged: boolean },
): Promise<void> {
  const outcome = isChanged ? "changed" : "unchanged";
  await rowsOf(databaseUrl, TOUCH_ROUTES, [CLUSTER, step, outcome]);
}

const TOUCH_ROUTES = `
  UPDATE route_states
     SET last_run_at = now(), updated_at = now(), last_run_outcome = $3
   WHERE cluster_id = $1 AND kind = 'NodeRoutes' AND substr(name, 6)::int % $2::int = 1`;

const FILL = `
  INSERT INTO node_states (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller,
                           since, failures, drift, last_run_id, last_run_outcome, last_run_at, created_at,
                           initialised_at, init_ms, updated_at, zone, instance_type, provider_id, addresses, address,
                           ready, search_text, node)
  SELECT $1, 'Node', name, md5(name)::uuid::text,
         jsonb_build_object('cloud-node-controller', jsonb_build_object(
           'controller', 'cloud-node-controller', 'at', at_ms, 'state', state, 'reason', reason, 'since', at_ms,
           'failures', failures, 'drift', 'inStep', 'runId', run_id, 'outcome', 'changed')),
         state, rank, reason, reason ->> 'code', 'cloud-node-controller', at, failures, 'inStep', run_id,
         CASE state WHEN 'stuck' THEN 'failed' WHEN 'waiting' THEN 'waiting' ELSE 'changed' END,
         at, at, at, 1000 + n % 3000, at, zone, type, provider_id, addresses, address, 'True',
         concat_ws(' ', name, provider_id, address),
         jsonb_build_object('createdAt', at_ms, 'ready', 'True', 'taints', '[]'::jsonb, 'facts', jsonb_build_object(
           'addresses', addresses, 'labels', '{}'::jsonb, 'asOf', at_ms, 'zone', zone, 'instanceType', type,
           'providerID', provider_id))
    FROM (
      SELECT n, 'node-' || lpad(n::text, 4, '0') AS name, now() - n * interval '1 second' AS at,
             (extract(epoch FROM now()) * 1000)::bigint - n * 1000 AS at_ms, 'zone-' || n % 3 AS zone,
             'type-' || n % 5 AS type, '10.0.' || n / 256 || '.' || n % 256 AS address,
             CASE WHEN n % 50 = 0 THEN 'stuck' WHEN n % 40 = 0 THEN 'waiting' ELSE 'ok' END AS state,
             CASE WHEN n % 50 = 0 THEN 0 WHEN n % 40 = 0 THEN 2 ELSE 5 END AS rank,
             CASE WHEN n % 50 = 0 THEN 5 ELSE 0 END AS failures
        FROM generate_series(1, $2::int) AS n
    ) AS made,
    LATERAL (SELECT 'sandbox://' || zone || '/' || md5(name) AS provider_id,
                    (lpad(to_hex(at_ms), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid::text AS run_id,
                    jsonb_build_array(jsonb_build_object('type', 'InternalIP', 'address', address)) AS addresses,
                    CASE state
                      WHEN 'stuck' THEN jsonb_build_object('code', 'ProviderThrottled', 'provider', 'sandbox',
                                                           'operation', 'GET /v1/instances', 'requestId', md5(name))
                      WHEN 'waiting' THEN jsonb_build_object('code', 'InstanceNotFound', 'provider', 'sandbox',
                                                             'by', 'name', 'value', name)
                      ELSE jsonb_build_object('code', 'Initialised') END AS reason) AS more`;

const TOUCH = `
  UPDATE node_states
     SET last_run_at = now(), updated_at = now(),
         last_run_outcome = CASE last_run_outcome WHEN 'unchanged' THEN 'changed' ELSE 'unchanged' END
   WHERE cluster_id = $1 AND kind = 'Node' AND substr(name, 6)::int % $2::int = 1`;
