-- By hand: the tables inherit the columns that all objects have from "object_states", which Prisma cannot model. A query of
-- that one reads the rows of all; it holds itself those of kinds without columns of their own.
ALTER TABLE "object_states" RENAME TO "object_states_of_all_kinds";
ALTER TABLE "object_states_of_all_kinds" RENAME CONSTRAINT "object_states_pkey" TO "object_states_of_all_kinds_pkey";
DROP INDEX "object_states_cluster_id_kind_state_rank_since_name_idx";
DROP INDEX "object_states_cluster_id_kind_name_key_name_idx";
DROP INDEX "object_states_cluster_id_kind_route_rank_route_since_name_idx";
DROP TRIGGER "object_states_notify_insert" ON "object_states_of_all_kinds";
DROP TRIGGER "object_states_notify_update" ON "object_states_of_all_kinds";

-- The order of names as a person counts, as before: node-2 comes before node-10.
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
    "gone_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "provider_id" TEXT,
    "address" TEXT,
    "search_text" TEXT NOT NULL,
    "detail" JSONB,
    "dry_run" BOOLEAN NOT NULL DEFAULT false,
    "name_key" TEXT COLLATE "C" NOT NULL GENERATED ALWAYS AS (
      regexp_replace(regexp_replace("name", '(\d+)', repeat('0', 20) || '\1', 'g'), '\d*(\d{20})', '\1', 'g')) STORED,

    CONSTRAINT "object_states_pkey" PRIMARY KEY ("cluster_id","kind","name"),
    -- With it a query of one kind through this table reads that kind's table alone.
    CONSTRAINT "object_states_kind" CHECK ("kind" NOT IN ('Node', 'Service', 'LoadBalancer', 'NodeRoutes', 'Route', 'PersistentVolume')) NO INHERIT
);

CREATE TABLE "node_states" (
    "init_ms" BIGINT,
    "zone" TEXT COLLATE "C",
    "instance_type" TEXT COLLATE "C",
    "addresses" JSONB,
    "ready" TEXT,
    "initialised_at" TIMESTAMPTZ(3),
    "node" JSONB,
    "cloud" JSONB,
    "wanted" JSONB,
    "timeline" JSONB,

    CONSTRAINT "node_states_pkey" PRIMARY KEY ("cluster_id","kind","name"),
    CONSTRAINT "node_states_kind" CHECK ("kind" IN ('Node'))
) INHERITS ("object_states");

CREATE TABLE "load_balancer_states" (
    "type" TEXT,
    "addresses" TEXT[],
    "members_in" INTEGER,
    "members_wanted" INTEGER,
    "members_share" DOUBLE PRECISION,
    "member_verdicts" JSONB,
    "changed_at" TIMESTAMPTZ(3),

    CONSTRAINT "load_balancer_states_pkey" PRIMARY KEY ("cluster_id","kind","name"),
    CONSTRAINT "load_balancer_states_kind" CHECK ("kind" IN ('Service', 'LoadBalancer'))
) INHERITS ("object_states");

CREATE TABLE "route_states" (
    "table" TEXT COLLATE "C",
    "routes_wanted" INTEGER,
    "routes_kept" INTEGER,
    "range_verdicts" TEXT[],

    CONSTRAINT "route_states_pkey" PRIMARY KEY ("cluster_id","kind","name"),
    CONSTRAINT "route_states_kind" CHECK ("kind" IN ('NodeRoutes', 'Route'))
) INHERITS ("object_states");

CREATE TABLE "volume_states" (
    "zone" TEXT COLLATE "C",
    "storage_class" TEXT,
    "changed_at" TIMESTAMPTZ(3),

    CONSTRAINT "volume_states_pkey" PRIMARY KEY ("cluster_id","kind","name"),
    CONSTRAINT "volume_states_kind" CHECK ("kind" IN ('PersistentVolume'))
) INHERITS ("object_states");

CREATE INDEX "object_states_cluster_id_kind_state_rank_since_name_idx" ON "object_states"("cluster_id", "kind", "state_rank", "since", "name");
CREATE INDEX "object_states_cluster_id_kind_name_key_name_idx" ON "object_states"("cluster_id", "kind", "name_key", "name");
CREATE INDEX "node_states_cluster_id_kind_state_rank_since_name_idx" ON "node_states"("cluster_id", "kind", "state_rank", "since", "name");
CREATE INDEX "node_states_cluster_id_kind_name_key_name_idx" ON "node_states"("cluster_id", "kind", "name_key", "name");
CREATE INDEX "load_balancer_states_cluster_id_kind_state_rank_since_name_idx" ON "load_balancer_states"("cluster_id", "kind", "state_rank", "since", "name");
CREATE INDEX "load_balancer_states_cluster_id_kind_name_key_name_idx" ON "load_balancer_states"("cluster_id", "kind", "name_key", "name");
CREATE INDEX "route_states_cluster_id_kind_state_rank_since_name_idx" ON "route_states"("cluster_id", "kind", "state_rank", "since", "name");
CREATE INDEX "route_states_cluster_id_kind_name_key_name_idx" ON "route_states"("cluster_id", "kind", "name_key", "name");
CREATE INDEX "volume_states_cluster_id_kind_state_rank_since_name_idx" ON "volume_states"("cluster_id", "kind", "state_rank", "since", "name");
CREATE INDEX "volume_states_cluster_id_kind_name_key_name_idx" ON "volume_states"("cluster_id", "kind", "name_key", "name");

-- What was there, in the tables where it belongs.
INSERT INTO "node_states" (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller,
       since, next_at, failures, drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at,
       provider_id, address, search_text, detail, dry_run, init_ms, zone, instance_type, addresses, ready,
       initialised_at, node, cloud, wanted, timeline)
SELECT cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since, next_at, failures,
       drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at, provider_id,
       COALESCE(addresses->0->>'address', addresses->>0), search_text, detail, dry_run, init_ms, NULLIF(zone, ''),
       NULLIF(instance_type, ''), addresses, ready, initialised_at, node, cloud, wanted, timeline
  FROM "object_states_of_all_kinds"
 WHERE kind = 'Node';

INSERT INTO "load_balancer_states" (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code,
       controller, since, next_at, failures, drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at,
       updated_at, provider_id, address, search_text, detail, dry_run, type, addresses, members_in, members_wanted,
       members_share, member_verdicts, changed_at)
SELECT cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since, next_at, failures,
       drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at, provider_id,
       COALESCE(addresses->0->>'address', addresses->>0), search_text, detail, dry_run, NULLIF(instance_type, ''),
       ARRAY(SELECT jsonb_array_elements_text(addresses)), members_in, members_wanted, members_in::float8 /
       NULLIF(members_wanted, 0), verdicts, changed_at
  FROM "object_states_of_all_kinds"
 WHERE kind IN ('Service', 'LoadBalancer');

-- A Node that the route controller reports on, or is still to report on, has a row of its own for its routes.
INSERT INTO "route_states" (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller,
       since, next_at, failures, drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at,
       provider_id, address, search_text, detail, dry_run, "table", routes_wanted, routes_kept, range_verdicts)
SELECT cluster_id, 'NodeRoutes', name, uid, '{}', ('{stuck,unknown,waiting,working,held,ok,gone}'::text[])[route_rank +
       1], route_rank, COALESCE(parts -> 'node-route-controller' -> 'reason', jsonb_build_object('code',
       route_reason_code, 'controller', 'node-route-controller')), route_reason_code, 'node-route-controller',
       route_since, to_timestamp((parts -> 'node-route-controller' ->> 'nextAt')::float8 / 1000), COALESCE((parts ->
       'node-route-controller' ->> 'failures')::int, 0), route_drift, COALESCE(parts -> 'node-route-controller' ->>
       'runId', ''), COALESCE(parts -> 'node-route-controller' ->> 'outcome', 'failed'), COALESCE(to_timestamp((parts ->
       'node-route-controller' ->> 'at')::float8 / 1000), updated_at), created_at, gone_at, COALESCE(to_timestamp((parts
       -> 'node-route-controller' ->> 'at')::float8 / 1000), updated_at), provider_id,
       COALESCE(addresses->0->>'address', addresses->>0), search_text, parts -> 'node-route-controller' -> 'detail',
       dry_run, NULLIF(route_table, ''), routes_wanted, routes_kept, route_verdicts
  FROM "object_states_of_all_kinds"
 WHERE kind = 'Node' AND route_rank IS NOT NULL;

INSERT INTO "route_states" (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller,
       since, next_at, failures, drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at,
       provider_id, address, search_text, detail, dry_run, "table", range_verdicts)
SELECT cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since, next_at, failures,
       drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at, provider_id, NULL,
       search_text, detail, dry_run, detail ->> 'table', '{}'
  FROM "object_states_of_all_kinds"
 WHERE kind = 'Route';

INSERT INTO "volume_states" (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller,
       since, next_at, failures, drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at,
       provider_id, address, search_text, detail, dry_run, zone, storage_class, changed_at)
SELECT cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since, next_at, failures,
       drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at, provider_id, NULL,
       search_text, detail, dry_run, NULLIF(zone, ''), NULLIF(instance_type, ''), changed_at
  FROM "object_states_of_all_kinds"
 WHERE kind = 'PersistentVolume';

INSERT INTO "object_states" (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller,
       since, next_at, failures, drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at,
       provider_id, address, search_text, detail, dry_run)
SELECT cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since, next_at, failures,
       drift, last_run_id, last_run_outcome, last_run_at, created_at, gone_at, updated_at, provider_id, NULL,
       search_text, detail, dry_run
  FROM "object_states_of_all_kinds"
 WHERE kind NOT IN ('Node', 'Service', 'LoadBalancer', 'Route', 'PersistentVolume');

DROP TABLE "object_states_of_all_kinds";

-- Wakes the pages. The trigger of a statement is that of the table that it names.
CREATE TRIGGER "object_states_notify_insert"
  AFTER INSERT ON "object_states" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('nodes');
CREATE TRIGGER "object_states_notify_update"
  AFTER UPDATE ON "object_states" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('nodes');
CREATE TRIGGER "node_states_notify_insert"
  AFTER INSERT ON "node_states" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('nodes');
CREATE TRIGGER "node_states_notify_update"
  AFTER UPDATE ON "node_states" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('nodes');
CREATE TRIGGER "load_balancer_states_notify_insert"
  AFTER INSERT ON "load_balancer_states" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('nodes');
CREATE TRIGGER "load_balancer_states_notify_update"
  AFTER UPDATE ON "load_balancer_states" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('nodes');
CREATE TRIGGER "route_states_notify_insert"
  AFTER INSERT ON "route_states" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('nodes');
CREATE TRIGGER "route_states_notify_update"
  AFTER UPDATE ON "route_states" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('nodes');
CREATE TRIGGER "volume_states_notify_insert"
  AFTER INSERT ON "volume_states" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('nodes');
CREATE TRIGGER "volume_states_notify_update"
  AFTER UPDATE ON "volume_states" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('nodes');
