-- CreateTable
CREATE TABLE "clusters" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "last_heard_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "clusters_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "controller_instances" (
    "cluster_id" TEXT NOT NULL,
    "identity" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "leader" BOOLEAN NOT NULL,
    "lease_transitions" INTEGER,
    "heard_at" TIMESTAMPTZ(3) NOT NULL,
    "watch_silent_ms" BIGINT NOT NULL,
    "spool_bytes" BIGINT NOT NULL,
    "dry_run" BOOLEAN NOT NULL,
    "controllers" JSONB NOT NULL,
    "cloud" JSONB,

    CONSTRAINT "controller_instances_pkey" PRIMARY KEY ("cluster_id","identity")
);

-- CreateTable
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
    "zone" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "instance_type" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "provider_id" TEXT,
    "addresses" JSONB NOT NULL,
    "ready" TEXT,
    "search_text" TEXT NOT NULL,
    "node" JSONB,
    "cloud" JSONB,
    "wanted" JSONB,
    "timeline" JSONB,
    "detail" JSONB,

    CONSTRAINT "object_states_pkey" PRIMARY KEY ("cluster_id","kind","name")
);

-- CreateTable
CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "instance" TEXT NOT NULL,
    "controller" TEXT NOT NULL,
    "object_kind" TEXT NOT NULL,
    "object_namespace" TEXT NOT NULL DEFAULT '',
    "object_name" TEXT COLLATE "C" NOT NULL,
    "object_uid" TEXT,
    "trigger_kind" TEXT NOT NULL,
    "trigger" JSONB NOT NULL,
    "intent_id" TEXT,
    "attempt" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason_code" TEXT,
    "reason" JSONB,
    "next" JSONB,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "queued_ms" DOUBLE PRECISION NOT NULL,
    "duration_ms" DOUBLE PRECISION,
    "plan_ms" DOUBLE PRECISION,
    "cloud_calls" INTEGER NOT NULL DEFAULT 0,
    "kube_calls" INTEGER NOT NULL DEFAULT 0,
    "change_count" INTEGER NOT NULL,
    "applied" INTEGER,
    "dry_run" BOOLEAN NOT NULL,
    "changes" JSONB NOT NULL,
    "not_taken" JSONB NOT NULL,
    "steps" JSONB NOT NULL,

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "seq" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL,
    "cluster_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "actor_name" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "object_kind" TEXT,
    "object_namespace" TEXT,
    "object_name" TEXT,
    "object_uid" TEXT,
    "why" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,
    "run_id" TEXT,
    "intent_id" TEXT,
    "prev_hash" TEXT,
    "hash" TEXT,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "intents" (
    "id" UUID NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "controller" TEXT NOT NULL,
    "object_kind" TEXT NOT NULL,
    "object_namespace" TEXT,
    "object_name" TEXT NOT NULL,
    "object_uid" TEXT,
    "why" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "actor_name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "plan_hash" TEXT,
    "claimed_by" TEXT,
    "claimed_transition" INTEGER,
    "run_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "result" TEXT,
    "preview" JSONB,
    "evidence" JSONB,

    CONSTRAINT "intents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_tokens" (
    "token_hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "sign_in_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "role" TEXT,
    "banned" BOOLEAN DEFAULT false,
    "ban_reason" TEXT,
    "ban_expires" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "impersonated_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verifications" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "verifications_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "object_states_cluster_id_kind_state_rank_since_name_idx" ON "object_states"("cluster_id", "kind", "state_rank", "since", "name");

-- CreateIndex
CREATE INDEX "runs_cluster_id_started_at_id_idx" ON "runs"("cluster_id", "started_at", "id");

-- CreateIndex
CREATE INDEX "runs_cluster_id_controller_started_at_id_idx" ON "runs"("cluster_id", "controller", "started_at", "id");

-- CreateIndex
CREATE INDEX "runs_cluster_id_outcome_started_at_id_idx" ON "runs"("cluster_id", "outcome", "started_at", "id");

-- CreateIndex
CREATE INDEX "runs_cluster_id_reason_code_started_at_id_idx" ON "runs"("cluster_id", "reason_code", "started_at", "id");

-- CreateIndex
CREATE INDEX "runs_cluster_id_object_name_started_at_id_idx" ON "runs"("cluster_id", "object_name", "started_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entries_id_key" ON "audit_entries"("id");

-- CreateIndex
CREATE INDEX "audit_entries_cluster_id_seq_idx" ON "audit_entries"("cluster_id", "seq");

-- CreateIndex
CREATE INDEX "audit_entries_cluster_id_object_kind_object_name_seq_idx" ON "audit_entries"("cluster_id", "object_kind", "object_name", "seq");

-- CreateIndex
CREATE INDEX "intents_cluster_id_state_requested_at_idx" ON "intents"("cluster_id", "state", "requested_at");

-- CreateIndex
CREATE INDEX "intents_cluster_id_object_kind_object_name_requested_at_idx" ON "intents"("cluster_id", "object_kind", "object_name", "requested_at");

-- CreateIndex
CREATE INDEX "intents_cluster_id_requested_at_id_idx" ON "intents"("cluster_id", "requested_at", "id");

-- CreateIndex
CREATE INDEX "sign_in_tokens_user_id_idx" ON "sign_in_tokens"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_key" ON "sessions"("token");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "accounts_user_id_idx" ON "accounts"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_provider_id_account_id_key" ON "accounts"("provider_id", "account_id");

-- CreateIndex
CREATE INDEX "verifications_identifier_idx" ON "verifications"("identifier");

-- AddForeignKey
ALTER TABLE "sign_in_tokens" ADD CONSTRAINT "sign_in_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- From here on by hand: what Prisma cannot model. (Above, the names that are sorted or searched by prefix have the
-- collation "C", so that a plain index serves LIKE 'w-%' whatever the database's locale.)

-- Audit entries are inserted and never change.
CREATE FUNCTION audit_entries_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are never changed or deleted (% on audit_entries was refused)', TG_OP
    USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER audit_entries_insert_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_refuse_change();

-- Wakes the pages. The payload names topic and cluster only; PostgreSQL sends equal payloads of a transaction once.
CREATE FUNCTION notify_cloudwright() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('cloudwright', TG_ARGV[0] || ':' || COALESCE(touched.cluster_id, ''))
    FROM (SELECT DISTINCT cluster_id FROM changed) AS touched;
  RETURN NULL;
END
$$;

-- Wakes the leaders that wait for intents.
CREATE FUNCTION notify_cloudwright_intents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('cloudwright_intents', touched.cluster_id)
    FROM (SELECT DISTINCT cluster_id FROM changed) AS touched;
  RETURN NULL;
END
$$;

CREATE TRIGGER "runs_notify_insert"
  AFTER INSERT ON "runs" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('runs');
CREATE TRIGGER "runs_notify_update"
  AFTER UPDATE ON "runs" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('runs');
CREATE TRIGGER "object_states_notify_insert"
  AFTER INSERT ON "object_states" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('nodes');
CREATE TRIGGER "object_states_notify_update"
  AFTER UPDATE ON "object_states" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('nodes');
CREATE TRIGGER "intents_notify_insert"
  AFTER INSERT ON "intents" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('intents');
CREATE TRIGGER "intents_notify_update"
  AFTER UPDATE ON "intents" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('intents');
CREATE TRIGGER "audit_entries_notify_insert"
  AFTER INSERT ON "audit_entries" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('audit');
CREATE TRIGGER "controller_instances_notify_insert"
  AFTER INSERT ON "controller_instances" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('instances');
CREATE TRIGGER "controller_instances_notify_update"
  AFTER UPDATE ON "controller_instances" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('instances');
CREATE TRIGGER "intents_notify_leaders_insert"
  AFTER INSERT ON "intents" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright_intents();
CREATE TRIGGER "intents_notify_leaders_update"
  AFTER UPDATE ON "intents" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright_intents();
