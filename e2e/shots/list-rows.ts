import { CLUSTER } from "../bench/fleet-rows.ts";
import { rowsOf } from "../harness/database.ts";

/**
 * Fills every list of a ledger with this many rows: Services and orphans with their load balancers, volumes, runs, actions, audit
 * entries and the changes that a dry run would make. One in fifty has a problem.
 */
export async function fillLists(databaseUrl: string, rows: number): Promise<void> {
  for (const statement of [SERVICES, ORPHANS, VOLUMES, DAYS, RUNS, ACTIONS, PLANS, SHADOW, AUDIT]) {
    await rowsOf(
      databaseUrl,
      statement.text,
      statement.counts ? [CLUSTER, rows] : statement.values,
    );
  }
}

const counted = (text: string) => ({ text, counts: true, values: [] });

const OBJECT_COLUMNS = `
  cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since, failures, drift, last_run_id,
  last_run_outcome, last_run_at, created_at, updated_at, provider_id, search_text, detail`;

const SERVICES = counted(`
  INSERT INTO load_balancer_states (${OBJECT_COLUMNS}, type, addresses, members_in, members_wanted, members_share, changed_at)
  SELECT $1, 'Service', name, md5(name)::uuid::text, '{}', state,
         array_position('{stuck,unknown,waiting,working,held,ok,gone}'::text[], state) - 1, reason, reason ->> 'code',
         'service-lb-controller', at, CASE state WHEN 'stuck' THEN 6 ELSE 0 END,
         CASE WHEN n % 70 = 0 THEN 'drifted' ELSE 'inStep' END, md5(name)::uuid::text,
         CASE state WHEN 'stuck' THEN 'failed' WHEN 'waiting' THEN 'waiting' ELSE 'unchanged' END, at, at, at,
         'lb-' || substr(md5(name), 1, 12), name || ' ' || address, NULL, 'network', ARRAY[address],
         CASE state WHEN 'ok' THEN 50 ELSE 0 END, 50, CASE state WHEN 'ok' THEN 1 ELSE 0 END, at
    FROM (SELECT n, CASE n % 4 WHEN 0 THEN 'shop' WHEN 1 THEN 'payments' WHEN 2 THEN 'search' ELSE 'identity-and-access' END
                    || '/frontend-' || lpad(n::text, 4, '0') AS name, now() - n * interval '7 seconds' AS at,
                 CASE WHEN n % 50 = 0 THEN 'stuck' WHEN n % 40 = 0 THEN 'waiting' ELSE 'ok' END AS state,
                 '198.18.' || n / 256 || '.' || n % 256 AS address
            FROM generate_series(1, $2::int) AS n) AS made,
    LATERAL (SELECT CASE state
        WHEN 'stuck' THEN jsonb_build_object('code', 'ProviderQuotaExceeded', 'provider', 'sandbox', 'operation',
                            'POST /v1/load-balancers', 'requestId', substr(md5(name), 1, 16),
                            'message', 'The quota of load balancers is used up, 1000 of 1000.')
        WHEN 'waiting' THEN jsonb_build_object('code', 'BalancerProvisioning', 'provider', 'sandbox', 'id',
                              'lb-' || substr(md5(name), 1, 12), 'what', 'updating')
        ELSE jsonb_build_object('code', 'BalancerInStep', 'members', 50, 'address', address) END AS reason) AS reported`);

const ORPHANS = counted(`
  INSERT INTO load_balancer_states (${OBJECT_COLUMNS}, type, addresses)
  SELECT $1, 'LoadBalancer', id, id, '{}', 'waiting', 2, jsonb_build_object('code', 'BalancerOrphaned', 'provider', 'sandbox',
           'id', id, 'service', 'shop/old-' || n), 'BalancerOrphaned', 'service-lb-controller', at, 0, 'notChecked',
         md5(id)::uuid::text, 'waiting', at, at, at, id, id, jsonb_build_object('kind', 'orphan', 'serviceUid', md5(id)::uuid::text, 'service', 'shop/old-' || n,
           'firstSeenAt', (extract(epoch FROM at) * 1000)::bigint, 'costHint', 'about 18 USD a month', 'actual',
           jsonb_build_object('id', id, 'name', 'a' || md5(id), 'type', 'network', 'addresses',
             jsonb_build_array('203.0.113.' || n % 256), 'state', 'active', 'parts', '[]'::jsonb)),
         'network', ARRAY['203.0.113.' || n % 256]
    FROM (SELECT n, 'lb-' || substr(md5(n::text), 1, 16) AS id, now() - n * interval '11 minutes' AS at
            FROM generate_series(1, $2::int) AS n) AS made`);

const VOLUMES = counted(`
  INSERT INTO volume_states (${OBJECT_COLUMNS}, zone, storage_class, changed_at)
  SELECT $1, 'PersistentVolume', name, name, '{}', state,
         array_position('{stuck,unknown,waiting,working,held,ok,gone}'::text[], state) - 1, reason, reason ->> 'code',
         'volume-label-controller', at, 0, CASE state WHEN 'ok' THEN 'inStep' ELSE 'drifted' END, md5(name)::uuid::text,
         CASE state WHEN 'ok' THEN 'unchanged' ELSE 'blocked' END, at, at, at, 'vol-' || n, name,
         jsonb_build_object('kind', 'volume', 'volumeId', 'vol-' || n, 'storageClass', 'fast', 'claim',
           'shop/data-' || n, 'affinity', CASE state WHEN 'ok' THEN 'set' ELSE 'conflict' END, 'sizeGiB',
           jsonb_build_object('cloud', 10 + n % 90, 'volume', 10 + n % 90, 'claimed', 10 + n % 90), 'labels',
           jsonb_build_object('wanted', jsonb_build_object('zone', 'zone-1', 'region', 'region-1'), 'has',
             jsonb_build_object('zone', CASE state WHEN 'ok' THEN 'zone-1' ELSE 'zone-2' END, 'region', 'region-1'))),
         'zone-1', 'fast', at
    FROM (SELECT n, 'pv-' || md5(n::text)::uuid AS name, now() - n * interval '13 seconds' AS at,
                 CASE WHEN n % 50 = 0 THEN 'stuck' ELSE 'ok' END AS state
            FROM generate_series(1, $2::int) AS n) AS made,
    LATERAL (SELECT CASE state
        WHEN 'ok' THEN jsonb_build_object('code', 'VolumeInStep', 'id', 'vol-' || n)
        ELSE jsonb_build_object('code', 'VolumeAffinityConflict', 'has', 'zone-2', 'wanted', 'zone-1') END AS reason) AS reported`);

const DAYS = {
  text: `SELECT cloudwright_make_run_days(array_agg(day::date))
           FROM generate_series(now() - interval '1 day', now() + interval '1 day', interval '1 day') AS day`,
  counts: false,
  values: [],
};

const RUNS = counted(`
  INSERT INTO runs (id, cluster_id, instance, controller, object_kind, object_name, object_uid, trigger_kind, trigger, attempt,
                    outcome, reason_code, reason, next, started_at, queued_ms, duration_ms, plan_ms, cloud_calls, kube_calls,
                    change_count, applied, dry_run, changes, not_taken, steps)
  SELECT (lpad(to_hex(at_ms), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid, $1,
         'ctl-1', CASE WHEN n % 3 = 0 THEN 'cloud-node-lifecycle-controller' ELSE 'cloud-node-controller' END, 'Node', name,
         md5(name)::uuid::text, 'period', jsonb_build_object('kind', 'period'), 1, outcome, code,
         reason, jsonb_build_object('kind', 'settled', 'reason', reason), to_timestamp(at_ms / 1000.0), n % 20, 10 + n % 200, 1, 1, 0, 0, 0,
         false, '[]', '[]', jsonb_build_array(jsonb_build_object('phase', 'observe', 'system', 'cloud', 'operation',
           'GET /v1/instances', 'target', name, 'offsetMs', 1, 'durationMs', 8 + n % 100, 'limiterWaitMs', 0, 'status', 200,
           'requestId', substr(md5(n::text), 1, 16), 'attempt', 1, 'sharedBy', 200))
    FROM (SELECT n, 'node-' || lpad((1 + n * 37 % 5000)::text, 4, '0') AS name,
                 (extract(epoch FROM now()) * 1000)::bigint - n * 650 AS at_ms,
                 CASE WHEN n % 50 = 0 THEN 'failed' WHEN n % 7 = 0 THEN 'changed' ELSE 'unchanged' END AS outcome,
                 CASE WHEN n % 50 = 0 THEN 'ProviderThrottled' WHEN n % 7 = 0 THEN 'Initialised' ELSE 'InStep' END AS code
            FROM generate_series(1, $2::int) AS n) AS made,
    LATERAL (SELECT CASE code WHEN 'ProviderThrottled' THEN jsonb_build_object('code', code, 'provider', 'sandbox',
                      'operation', 'GET /v1/instances') ELSE jsonb_build_object('code', code) END AS reason) AS reported`);

const ACTIONS = counted(`
  INSERT INTO intents (id, cluster_id, kind, wish, controller, object_kind, object_name, why, actor_id, actor_name, state,
                       requested_at, expires_at, updated_at, claimed_by, result)
  SELECT md5('action' || n)::uuid, $1, 'retry', '{"kind":"retry"}', 'cloud-node-controller', 'Node',
         'node-' || lpad(n::text, 4, '0'), 'INC-' || 1000 + n || ': looked at after the outage', 'ana', 'ana@example.test',
         CASE n % 9 WHEN 0 THEN 'failed' WHEN 1 THEN 'expired' ELSE 'verified' END, now() - n * interval '3 minutes',
         now() - n * interval '3 minutes' + interval '10 minutes', now(), 'ctl-1',
         CASE n % 9 WHEN 0 THEN 'The run failed: the cloud answered 503.' WHEN 1 THEN NULL
                    ELSE 'The node is as it should be.' END
    FROM generate_series(1, $2::int) AS n`);

const SHADOW = {
  text: `
    INSERT INTO controller_instances (cluster_id, identity, version, leader, heard_at, watch_silent_ms, spool_bytes, dry_run,
                                      controllers)
    VALUES ($1, 'shadow-1', 'test', true, now() + interval '1 hour', 0, 0, true, '[]')`,
  counts: false,
  values: [CLUSTER],
};

const PLANS = counted(`
  INSERT INTO shadow_plans (cluster_id, controller, object_kind, object_name, object_uid, run_id, at, outcome, reason,
                            reason_code, next, change_count, changes, not_taken)
  SELECT $1, 'cloud-node-controller', 'Node', name, md5(name)::uuid::text, md5(name)::uuid, now() - n * interval '1 second',
         'changed', reason, 'FactsChanged', jsonb_build_object('kind', 'settled', 'reason', reason), 1,
         jsonb_build_array(jsonb_build_object('kind', 'node.labels.write', 'system', 'cluster', 'target',
           jsonb_build_object('kind', 'Node', 'name', name), 'before', jsonb_build_object('topology.kubernetes.io/zone', 'zone-1'),
           'after', jsonb_build_object('topology.kubernetes.io/zone', 'zone-2'), 'reason', reason)), '[]'
    FROM (SELECT n, 'node-' || lpad(n::text, 4, '0') AS name FROM generate_series(1, $2::int) AS n) AS made,
    LATERAL (SELECT jsonb_build_object('code', 'FactsChanged', 'fields', jsonb_build_array('labels')) AS reason) AS reported`);

const AUDIT = counted(`
  SELECT cloudwright_audit(jsonb_agg(jsonb_build_object('id', md5('audit' || n)::uuid, 'cluster_id', $1::text,
           'at', (extract(epoch FROM now()) * 1000)::bigint - (SELECT $2::int - n) * 45000,
           'actor_kind', CASE WHEN n % 5 = 0 THEN 'person' ELSE 'controller' END,
           'actor_id', CASE WHEN n % 5 = 0 THEN 'ana' ELSE 'cloud-node-controller' END,
           'actor_name', CASE WHEN n % 5 = 0 THEN 'ana@example.test' ELSE 'cloud-node-controller' END,
           'action', CASE WHEN n % 5 = 0 THEN 'intent.request' ELSE 'node.initialise' END,
           'object_kind', 'Node', 'object_name', 'node-' || lpad(n::text, 4, '0'),
           'why', CASE WHEN n % 5 = 0 THEN 'INC-88: looked at after the outage' ELSE 'The node was not initialised.' END,
           'result', 'applied', 'before', NULL, 'after', NULL) ORDER BY n))
    FROM generate_series(1, $2::int) AS n`);
