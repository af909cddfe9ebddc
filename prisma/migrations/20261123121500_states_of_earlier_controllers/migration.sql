-- By hand. Controllers of the release before write "object_states", one wide row for an object of any kind, and go on from what
-- they read there; they keep working beside this release. So the name is theirs again until the next release drops it, what
-- all objects have is in "all_states", and what they write is taken over into the tables of the kinds at once.
ALTER TABLE "object_states" RENAME TO "all_states";
ALTER TABLE "all_states" RENAME CONSTRAINT "object_states_pkey" TO "all_states_pkey";
ALTER TABLE "all_states" RENAME CONSTRAINT "object_states_kind" TO "all_states_kind";
ALTER INDEX "object_states_cluster_id_kind_state_rank_since_name_idx" RENAME TO "all_states_cluster_id_kind_state_rank_since_name_idx";
ALTER INDEX "object_states_cluster_id_kind_name_key_name_idx" RENAME TO "all_states_cluster_id_kind_name_key_name_idx";
ALTER TRIGGER "object_states_notify_insert" ON "all_states" RENAME TO "all_states_notify_insert";
ALTER TRIGGER "object_states_notify_update" ON "all_states" RENAME TO "all_states_notify_update";

-- Given by the ledger's writer, as the database took a fifth of an insert's time to make it; made for whoever leaves it out.
ALTER TABLE "all_states" ALTER COLUMN "name_key" DROP EXPRESSION;
CREATE FUNCTION cloudwright_fill_name_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_key := regexp_replace(regexp_replace(NEW.name, '(\d+)', repeat('0', 20) || '\1', 'g'), '\d*(\d{20})', '\1', 'g');
  RETURN NEW;
END
$$;
CREATE TRIGGER "all_states_name_key" BEFORE INSERT ON "all_states"
  FOR EACH ROW WHEN (NEW.name_key IS NULL) EXECUTE FUNCTION cloudwright_fill_name_key();
CREATE TRIGGER "node_states_name_key" BEFORE INSERT ON "node_states"
  FOR EACH ROW WHEN (NEW.name_key IS NULL) EXECUTE FUNCTION cloudwright_fill_name_key();
CREATE TRIGGER "load_balancer_states_name_key" BEFORE INSERT ON "load_balancer_states"
  FOR EACH ROW WHEN (NEW.name_key IS NULL) EXECUTE FUNCTION cloudwright_fill_name_key();
CREATE TRIGGER "route_states_name_key" BEFORE INSERT ON "route_states"
  FOR EACH ROW WHEN (NEW.name_key IS NULL) EXECUTE FUNCTION cloudwright_fill_name_key();
CREATE TRIGGER "volume_states_name_key" BEFORE INSERT ON "volume_states"
  FOR EACH ROW WHEN (NEW.name_key IS NULL) EXECUTE FUNCTION cloudwright_fill_name_key();

CREATE TABLE "object_states" (
    "cluster_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "uid" TEXT NOT NULL,
    "parts" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "state_rank" SMALLINT NOT NULL,
    "reason" JSONB NOT NULL,
    "reason_code" TEXT NOT NULL,
    "controller" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "next_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL,
    "drift" TEXT NOT NULL,
    "last_run_id" TEXT NOT NULL,
    "last_run_outcome" TEXT NOT NULL,
    "last_run_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3),
    "initialised_at" TIMESTAMPTZ(3),
    "init_ms" BIGINT,
    "gone_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "zone" TEXT NOT NULL DEFAULT '',
    "instance_type" TEXT NOT NULL DEFAULT '',
    "provider_id" TEXT,
    "addresses" JSONB NOT NULL,
    "ready" TEXT,
    "members_in" INTEGER,
    "members_wanted" INTEGER,
    "verdicts" JSONB,
    "changed_at" TIMESTAMPTZ(3),
    "route_rank" SMALLINT,
    "route_since" TIMESTAMPTZ(3),
    "route_drift" TEXT,
    "route_reason_code" TEXT,
    "route_table" TEXT NOT NULL DEFAULT '',
    "routes_wanted" INTEGER,
    "routes_kept" INTEGER,
    "route_verdicts" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "search_text" TEXT NOT NULL,
    "node" JSONB,
    "cloud" JSONB,
    "wanted" JSONB,
    "timeline" JSONB,
    "detail" JSONB,
    "dry_run" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "object_states_pkey" PRIMARY KEY ("cluster_id","kind","name")
);

-- What such a controller goes on from.
INSERT INTO "object_states" (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since, next_at,
       failures, drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at, provider_id,
       search_text, detail, dry_run, initialised_at, init_ms, zone, instance_type, addresses, ready, node, cloud,
       wanted, timeline, members_in, members_wanted, verdicts, changed_at, route_rank, route_since, route_drift,
       route_reason_code, route_table, routes_wanted, routes_kept, route_verdicts)
SELECT every.cluster_id, every.kind, every.name, every.uid, every.parts, every.state, every.state_rank, every.reason,
       every.reason_code, every.controller, every.since, every.next_at, every.failures, every.drift,
       every.last_run_id, every.last_run_outcome, every.last_run_at, every.created_at, every.gone_at,
       every.updated_at, every.provider_id, every.search_text, every.detail, every.dry_run, node.initialised_at,
       node.init_ms, COALESCE(node.zone, volume.zone, ''), COALESCE(node.instance_type, balancer.type,
       volume.storage_class, ''), COALESCE(node.addresses, to_jsonb(balancer.addresses), '[]'), node.ready, node.node,
       node.cloud, node.wanted, node.timeline, balancer.members_in, balancer.members_wanted, balancer.member_verdicts,
       COALESCE(balancer.changed_at, volume.changed_at), route.state_rank, route.since, route.drift,
       route.reason_code, COALESCE(route."table", ''), route.routes_wanted, route.routes_kept,
       COALESCE(route.range_verdicts, '{}')
  FROM "all_states" AS every
  LEFT JOIN "node_states" AS node USING (cluster_id, kind, name)
  LEFT JOIN "load_balancer_states" AS balancer USING (cluster_id, kind, name)
  LEFT JOIN "volume_states" AS volume USING (cluster_id, kind, name)
  LEFT JOIN "route_states" AS route
    ON every.kind = 'Node' AND route.kind = 'NodeRoutes' AND (route.cluster_id, route.name) = (every.cluster_id, every.name)
 WHERE every.kind <> 'NodeRoutes';

-- Of each controller what it said last.
CREATE FUNCTION cloudwright_newest_parts(known jsonb, given jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT COALESCE(jsonb_object_agg(controller, part), '{}')
    FROM (SELECT DISTINCT ON (controller) controller, part
            FROM (SELECT * FROM jsonb_each(known) UNION ALL SELECT * FROM jsonb_each(given)) AS said(controller, part)
           ORDER BY controller, (part ->> 'at')::float8 DESC) AS newest
$$;

-- Takes over what was written in the earlier shape. It may come from a controller that has led before and knows less: what is
-- older than what is known changes nothing, nor does a dry run change what a controller that acts has said.
CREATE FUNCTION cloudwright_take_over_earlier_states() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO node_states AS known
       (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since, next_at,
        failures, drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at, provider_id,
        address, search_text, detail, dry_run, init_ms, zone, instance_type, addresses, ready, initialised_at, node,
        cloud, wanted, timeline)
  SELECT changed.cluster_id, changed.kind, changed.name, changed.uid, changed.parts, changed.state,
         changed.state_rank, changed.reason, changed.reason_code, changed.controller, changed.since, changed.next_at,
         changed.failures, changed.drift, changed.last_run_id, changed.last_run_outcome, changed.last_run_at,
         changed.created_at, changed.gone_at, changed.updated_at, changed.provider_id,
         COALESCE(changed.addresses->0->>'address', changed.addresses->>0), changed.search_text, changed.detail,
         changed.dry_run, changed.init_ms, NULLIF(changed.zone, ''), NULLIF(changed.instance_type, ''),
         changed.addresses, changed.ready, changed.initialised_at, changed.node, changed.cloud, changed.wanted,
         changed.timeline
    FROM changed WHERE kind = 'Node'
  ON CONFLICT (cluster_id, kind, name) DO UPDATE
     SET uid = EXCLUDED.uid, parts = CASE WHEN known.uid = EXCLUDED.uid AND known.dry_run = EXCLUDED.dry_run THEN
         cloudwright_newest_parts(known.parts, EXCLUDED.parts) ELSE EXCLUDED.parts END, state = EXCLUDED.state,
         state_rank = EXCLUDED.state_rank, reason = EXCLUDED.reason, reason_code = EXCLUDED.reason_code, controller =
         EXCLUDED.controller, since = EXCLUDED.since, next_at = EXCLUDED.next_at, failures = EXCLUDED.failures, drift
         = EXCLUDED.drift, last_run_id = EXCLUDED.last_run_id, last_run_outcome = EXCLUDED.last_run_outcome,
         last_run_at = EXCLUDED.last_run_at, created_at = EXCLUDED.created_at, gone_at = EXCLUDED.gone_at, updated_at
         = EXCLUDED.updated_at, provider_id = EXCLUDED.provider_id, address = EXCLUDED.address, search_text =
         EXCLUDED.search_text, detail = EXCLUDED.detail, dry_run = EXCLUDED.dry_run, init_ms = EXCLUDED.init_ms, zone
         = EXCLUDED.zone, instance_type = EXCLUDED.instance_type, addresses = EXCLUDED.addresses, ready =
         EXCLUDED.ready, initialised_at = EXCLUDED.initialised_at, node = EXCLUDED.node, cloud = EXCLUDED.cloud,
         wanted = EXCLUDED.wanted, timeline = EXCLUDED.timeline
   WHERE known.updated_at <= EXCLUDED.updated_at AND (known.dry_run OR NOT EXCLUDED.dry_run)
     AND (known.uid <> EXCLUDED.uid OR known.gone_at IS NULL OR EXCLUDED.gone_at IS NULL);

  INSERT INTO route_states AS known
       (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since, next_at,
        failures, drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at, provider_id,
        address, search_text, detail, dry_run, "table", routes_wanted, routes_kept, range_verdicts)
  SELECT changed.cluster_id, 'NodeRoutes', changed.name, changed.uid, '{}',
         ('{stuck,unknown,waiting,working,held,ok,gone}'::text[])[changed.route_rank + 1], changed.route_rank,
         COALESCE(changed.parts -> 'node-route-controller' -> 'reason', jsonb_build_object('code',
         changed.route_reason_code, 'controller', 'node-route-controller')), changed.route_reason_code,
         'node-route-controller', changed.route_since, to_timestamp((changed.parts -> 'node-route-controller' ->>
         'nextAt')::float8 / 1000), COALESCE((changed.parts -> 'node-route-controller' ->> 'failures')::int, 0),
         changed.route_drift, COALESCE(changed.parts -> 'node-route-controller' ->> 'runId', ''),
         COALESCE(changed.parts -> 'node-route-controller' ->> 'outcome', 'failed'),
         COALESCE(to_timestamp((changed.parts -> 'node-route-controller' ->> 'at')::float8 / 1000),
         changed.updated_at), changed.created_at, changed.gone_at, COALESCE(to_timestamp((changed.parts ->
         'node-route-controller' ->> 'at')::float8 / 1000), changed.updated_at), changed.provider_id,
         COALESCE(changed.addresses->0->>'address', changed.addresses->>0), changed.search_text, changed.parts ->
         'node-route-controller' -> 'detail', changed.dry_run, NULLIF(changed.route_table, ''), changed.routes_wanted,
         changed.routes_kept, changed.route_verdicts
    FROM changed WHERE kind = 'Node' AND route_rank IS NOT NULL
  ON CONFLICT (cluster_id, kind, name) DO UPDATE
     SET uid = EXCLUDED.uid, parts = EXCLUDED.parts, state = EXCLUDED.state, state_rank = EXCLUDED.state_rank, reason
         = EXCLUDED.reason, reason_code = EXCLUDED.reason_code, controller = EXCLUDED.controller, since =
         EXCLUDED.since, next_at = EXCLUDED.next_at, failures = EXCLUDED.failures, drift = EXCLUDED.drift, last_run_id
         = EXCLUDED.last_run_id, last_run_outcome = EXCLUDED.last_run_outcome, last_run_at = EXCLUDED.last_run_at,
         created_at = EXCLUDED.created_at, gone_at = EXCLUDED.gone_at, updated_at = EXCLUDED.updated_at, provider_id =
         EXCLUDED.provider_id, address = EXCLUDED.address, search_text = EXCLUDED.search_text, detail =
         EXCLUDED.detail, dry_run = EXCLUDED.dry_run, "table" = EXCLUDED."table", routes_wanted =
         EXCLUDED.routes_wanted, routes_kept = EXCLUDED.routes_kept, range_verdicts = EXCLUDED.range_verdicts
   WHERE known.updated_at <= EXCLUDED.updated_at AND (known.dry_run OR NOT EXCLUDED.dry_run)
     AND (known.uid <> EXCLUDED.uid OR known.gone_at IS NULL OR EXCLUDED.gone_at IS NULL);

  DELETE FROM route_states AS former USING changed
   WHERE former.cluster_id = changed.cluster_id AND former.kind = 'NodeRoutes' AND former.name = changed.name
     AND changed.kind = 'Node' AND changed.route_rank IS NULL AND former.updated_at <= changed.updated_at;

  INSERT INTO load_balancer_states AS known
       (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since, next_at,
        failures, drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at, provider_id,
        address, search_text, detail, dry_run, type, addresses, members_in, members_wanted, members_share,
        member_verdicts, changed_at)
  SELECT changed.cluster_id, changed.kind, changed.name, changed.uid, changed.parts, changed.state,
         changed.state_rank, changed.reason, changed.reason_code, changed.controller, changed.since, changed.next_at,
         changed.failures, changed.drift, changed.last_run_id, changed.last_run_outcome, changed.last_run_at,
         changed.created_at, changed.gone_at, changed.updated_at, changed.provider_id,
         COALESCE(changed.addresses->0->>'address', changed.addresses->>0), changed.search_text, changed.detail,
         changed.dry_run, NULLIF(changed.instance_type, ''), ARRAY(SELECT
         jsonb_array_elements_text(changed.addresses)), changed.members_in, changed.members_wanted,
         changed.members_in::float8 / NULLIF(changed.members_wanted, 0), changed.verdicts, changed.changed_at
    FROM changed WHERE kind IN ('Service', 'LoadBalancer')
  ON CONFLICT (cluster_id, kind, name) DO UPDATE
     SET uid = EXCLUDED.uid, parts = CASE WHEN known.uid = EXCLUDED.uid AND known.dry_run = EXCLUDED.dry_run THEN
         cloudwright_newest_parts(known.parts, EXCLUDED.parts) ELSE EXCLUDED.parts END, state = EXCLUDED.state,
         state_rank = EXCLUDED.state_rank, reason = EXCLUDED.reason, reason_code = EXCLUDED.reason_code, controller =
         EXCLUDED.controller, since = EXCLUDED.since, next_at = EXCLUDED.next_at, failures = EXCLUDED.failures, drift
         = EXCLUDED.drift, last_run_id = EXCLUDED.last_run_id, last_run_outcome = EXCLUDED.last_run_outcome,
         last_run_at = EXCLUDED.last_run_at, created_at = EXCLUDED.created_at, gone_at = EXCLUDED.gone_at, updated_at
         = EXCLUDED.updated_at, provider_id = EXCLUDED.provider_id, address = EXCLUDED.address, search_text =
         EXCLUDED.search_text, detail = EXCLUDED.detail, dry_run = EXCLUDED.dry_run, type = EXCLUDED.type, addresses =
         EXCLUDED.addresses, members_in = EXCLUDED.members_in, members_wanted = EXCLUDED.members_wanted, members_share
         = EXCLUDED.members_share, member_verdicts = EXCLUDED.member_verdicts, changed_at = EXCLUDED.changed_at
   WHERE known.updated_at <= EXCLUDED.updated_at AND (known.dry_run OR NOT EXCLUDED.dry_run)
     AND (known.uid <> EXCLUDED.uid OR known.gone_at IS NULL OR EXCLUDED.gone_at IS NULL);

  INSERT INTO route_states AS known
       (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since, next_at,
        failures, drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at, provider_id,
        address, search_text, detail, dry_run, "table", range_verdicts)
  SELECT changed.cluster_id, changed.kind, changed.name, changed.uid, changed.parts, changed.state,
         changed.state_rank, changed.reason, changed.reason_code, changed.controller, changed.since, changed.next_at,
         changed.failures, changed.drift, changed.last_run_id, changed.last_run_outcome, changed.last_run_at,
         changed.created_at, changed.gone_at, changed.updated_at, changed.provider_id, NULL, changed.search_text,
         changed.detail, changed.dry_run, changed.detail ->> 'table', '{}'
    FROM changed WHERE kind = 'Route'
  ON CONFLICT (cluster_id, kind, name) DO UPDATE
     SET uid = EXCLUDED.uid, parts = CASE WHEN known.uid = EXCLUDED.uid AND known.dry_run = EXCLUDED.dry_run THEN
         cloudwright_newest_parts(known.parts, EXCLUDED.parts) ELSE EXCLUDED.parts END, state = EXCLUDED.state,
         state_rank = EXCLUDED.state_rank, reason = EXCLUDED.reason, reason_code = EXCLUDED.reason_code, controller =
         EXCLUDED.controller, since = EXCLUDED.since, next_at = EXCLUDED.next_at, failures = EXCLUDED.failures, drift
         = EXCLUDED.drift, last_run_id = EXCLUDED.last_run_id, last_run_outcome = EXCLUDED.last_run_outcome,
         last_run_at = EXCLUDED.last_run_at, created_at = EXCLUDED.created_at, gone_at = EXCLUDED.gone_at, updated_at
         = EXCLUDED.updated_at, provider_id = EXCLUDED.provider_id, address = EXCLUDED.address, search_text =
         EXCLUDED.search_text, detail = EXCLUDED.detail, dry_run = EXCLUDED.dry_run, "table" = EXCLUDED."table",
         range_verdicts = EXCLUDED.range_verdicts
   WHERE known.updated_at <= EXCLUDED.updated_at AND (known.dry_run OR NOT EXCLUDED.dry_run)
     AND (known.uid <> EXCLUDED.uid OR known.gone_at IS NULL OR EXCLUDED.gone_at IS NULL);

  INSERT INTO volume_states AS known
       (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since, next_at,
        failures, drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at, provider_id,
        address, search_text, detail, dry_run, zone, storage_class, changed_at)
  SELECT changed.cluster_id, changed.kind, changed.name, changed.uid, changed.parts, changed.state,
         changed.state_rank, changed.reason, changed.reason_code, changed.controller, changed.since, changed.next_at,
         changed.failures, changed.drift, changed.last_run_id, changed.last_run_outcome, changed.last_run_at,
         changed.created_at, changed.gone_at, changed.updated_at, changed.provider_id, NULL, changed.search_text,
         changed.detail, changed.dry_run, NULLIF(changed.zone, ''), NULLIF(changed.instance_type, ''),
         changed.changed_at
    FROM changed WHERE kind = 'PersistentVolume'
  ON CONFLICT (cluster_id, kind, name) DO UPDATE
     SET uid = EXCLUDED.uid, parts = CASE WHEN known.uid = EXCLUDED.uid AND known.dry_run = EXCLUDED.dry_run THEN
         cloudwright_newest_parts(known.parts, EXCLUDED.parts) ELSE EXCLUDED.parts END, state = EXCLUDED.state,
         state_rank = EXCLUDED.state_rank, reason = EXCLUDED.reason, reason_code = EXCLUDED.reason_code, controller =
         EXCLUDED.controller, since = EXCLUDED.since, next_at = EXCLUDED.next_at, failures = EXCLUDED.failures, drift
         = EXCLUDED.drift, last_run_id = EXCLUDED.last_run_id, last_run_outcome = EXCLUDED.last_run_outcome,
         last_run_at = EXCLUDED.last_run_at, created_at = EXCLUDED.created_at, gone_at = EXCLUDED.gone_at, updated_at
         = EXCLUDED.updated_at, provider_id = EXCLUDED.provider_id, address = EXCLUDED.address, search_text =
         EXCLUDED.search_text, detail = EXCLUDED.detail, dry_run = EXCLUDED.dry_run, zone = EXCLUDED.zone,
         storage_class = EXCLUDED.storage_class, changed_at = EXCLUDED.changed_at
   WHERE known.updated_at <= EXCLUDED.updated_at AND (known.dry_run OR NOT EXCLUDED.dry_run)
     AND (known.uid <> EXCLUDED.uid OR known.gone_at IS NULL OR EXCLUDED.gone_at IS NULL);

  INSERT INTO all_states AS known
       (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since, next_at,
        failures, drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at, provider_id,
        address, search_text, detail, dry_run)
  SELECT changed.cluster_id, changed.kind, changed.name, changed.uid, changed.parts, changed.state,
         changed.state_rank, changed.reason, changed.reason_code, changed.controller, changed.since, changed.next_at,
         changed.failures, changed.drift, changed.last_run_id, changed.last_run_outcome, changed.last_run_at,
         changed.created_at, changed.gone_at, changed.updated_at, changed.provider_id, NULL, changed.search_text,
         changed.detail, changed.dry_run
    FROM changed WHERE kind NOT IN ('Node', 'Service', 'LoadBalancer', 'Route', 'PersistentVolume')
  ON CONFLICT (cluster_id, kind, name) DO UPDATE
     SET uid = EXCLUDED.uid, parts = CASE WHEN known.uid = EXCLUDED.uid AND known.dry_run = EXCLUDED.dry_run THEN
         cloudwright_newest_parts(known.parts, EXCLUDED.parts) ELSE EXCLUDED.parts END, state = EXCLUDED.state,
         state_rank = EXCLUDED.state_rank, reason = EXCLUDED.reason, reason_code = EXCLUDED.reason_code, controller =
         EXCLUDED.controller, since = EXCLUDED.since, next_at = EXCLUDED.next_at, failures = EXCLUDED.failures, drift
         = EXCLUDED.drift, last_run_id = EXCLUDED.last_run_id, last_run_outcome = EXCLUDED.last_run_outcome,
         last_run_at = EXCLUDED.last_run_at, created_at = EXCLUDED.created_at, gone_at = EXCLUDED.gone_at, updated_at
         = EXCLUDED.updated_at, provider_id = EXCLUDED.provider_id, address = EXCLUDED.address, search_text =
         EXCLUDED.search_text, detail = EXCLUDED.detail, dry_run = EXCLUDED.dry_run
   WHERE known.updated_at <= EXCLUDED.updated_at AND (known.dry_run OR NOT EXCLUDED.dry_run)
     AND (known.uid <> EXCLUDED.uid OR known.gone_at IS NULL OR EXCLUDED.gone_at IS NULL);
  RETURN NULL;
END
$$;

CREATE TRIGGER "object_states_taken_over_insert"
  AFTER INSERT ON "object_states" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION cloudwright_take_over_earlier_states();
CREATE TRIGGER "object_states_taken_over_update"
  AFTER UPDATE ON "object_states" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION cloudwright_take_over_earlier_states();

-- As it was, but for the name of the table.
CREATE OR REPLACE FUNCTION cloudwright_drop_old_rows(intents_before timestamptz, objects_before timestamptz, runs_before timestamptz)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  removed integer;
BEGIN
  PERFORM cloudwright_check_is_past(intents_before), cloudwright_check_is_past(objects_before),
          cloudwright_check_is_past(runs_before);
  WITH old_intents AS (
    DELETE FROM intents
     WHERE state NOT IN ('awaiting-approval', 'requested', 'claimed', 'running') AND updated_at < intents_before
    RETURNING 1
  ), old_objects AS (
    DELETE FROM all_states WHERE gone_at < objects_before RETURNING 1
  ), old_gaps AS (
    DELETE FROM ledger_gaps WHERE to_at < runs_before RETURNING 1
  ), old_instances AS (
    DELETE FROM controller_instances WHERE heard_at < runs_before RETURNING 1
  ), old_shadow_plans AS (
    DELETE FROM shadow_plans WHERE at < runs_before RETURNING 1
  )
  SELECT (SELECT count(*) FROM old_intents) + (SELECT count(*) FROM old_objects)
       + (SELECT count(*) FROM old_gaps) + (SELECT count(*) FROM old_instances)
       + (SELECT count(*) FROM old_shadow_plans)
    INTO removed;
  RETURN removed;
END
$$;
