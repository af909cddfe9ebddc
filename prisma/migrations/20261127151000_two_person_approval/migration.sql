-- AlterTable
ALTER TABLE "intents" ADD COLUMN     "decided_at" TIMESTAMPTZ(3),
ADD COLUMN     "decided_by_id" TEXT,
ADD COLUMN     "decided_by_name" TEXT,
ADD COLUMN     "decided_why" TEXT;

-- CreateTable
CREATE TABLE "approval_policies" (
    "cluster_id" TEXT NOT NULL,
    "required" BOOLEAN NOT NULL,
    "actions" TEXT[],
    "changed_by" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "approval_policies_pkey" PRIMARY KEY ("cluster_id")
);

-- From here on by hand: what Prisma cannot model.

-- What needs approval waits for it whichever release of the dashboard asks. No controller takes a row in this state, and none of
-- an earlier release does either: they look for `requested`, `claimed` and `running` alone.
CREATE FUNCTION cloudwright_intent_waits() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF EXISTS (SELECT FROM "approval_policies"
              WHERE cluster_id = NEW.cluster_id AND required AND NEW.kind = ANY(actions)) THEN
    NEW.state := 'awaiting-approval';
    NEW.expires_at := GREATEST(NEW.expires_at, NEW.requested_at + interval '1 hour');
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER intents_waits BEFORE INSERT ON "intents"
  FOR EACH ROW EXECUTE FUNCTION cloudwright_intent_waits();

-- What waits for approval goes on only with the decision of another person than asked for it, in time; through the dashboard's
-- login, of the one whose session was verified in this transaction. Plan and expiry change with that decision alone.
CREATE FUNCTION cloudwright_intent_decided() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  verified "audit_sessions";
BEGIN
  IF OLD.state = 'awaiting-approval' AND NEW.state NOT IN ('awaiting-approval', 'rejected', 'expired', 'cancelled')
     AND (NEW.state <> 'requested' OR NEW.decided_by_id IS NULL OR NEW.decided_by_id = OLD.actor_id
          OR OLD.expires_at <= now()) THEN
    RAISE EXCEPTION 'the action % waits for the approval of another person than %', OLD.id, OLD.actor_name
      USING ERRCODE = 'check_violation';
  END IF;
  IF cloudwright_login_kind() = 'owner'
     OR (NEW.plan_hash, NEW.expires_at, NEW.decided_by_id, NEW.decided_by_name, NEW.decided_why, NEW.decided_at)
        IS NOT DISTINCT FROM
        (OLD.plan_hash, OLD.expires_at, OLD.decided_by_id, OLD.decided_by_name, OLD.decided_why, OLD.decided_at) THEN
    RETURN NEW;
  END IF;
  SELECT * INTO verified FROM "audit_sessions" WHERE xact = pg_current_xact_id()::text;
  IF OLD.state <> 'awaiting-approval' OR NEW.state NOT IN ('requested', 'rejected')
     OR verified.user_id IS NULL OR verified.user_id IS DISTINCT FROM NEW.decided_by_id THEN
    RAISE EXCEPTION 'the role % may decide about the action % only as the user of a live session, while it waits for approval',
      session_user, OLD.id USING ERRCODE = 'insufficient_privilege';
  END IF;
  NEW.decided_by_name := verified.user_name;
  RETURN NEW;
END
$$;
CREATE TRIGGER intents_decided BEFORE UPDATE ON "intents"
  FOR EACH ROW WHEN (
    OLD.state = 'awaiting-approval' OR NEW.plan_hash IS DISTINCT FROM OLD.plan_hash
    OR NEW.expires_at IS DISTINCT FROM OLD.expires_at OR NEW.decided_by_id IS DISTINCT FROM OLD.decided_by_id
    OR NEW.decided_by_name IS DISTINCT FROM OLD.decided_by_name
    OR NEW.decided_why IS DISTINCT FROM OLD.decided_why OR NEW.decided_at IS DISTINCT FROM OLD.decided_at)
  EXECUTE FUNCTION cloudwright_intent_decided();

-- As before, and users approve, decline and change whether approval is needed.
CREATE OR REPLACE FUNCTION cloudwright_audit_by_web(entry "audit_entries", item jsonb) RETURNS "audit_entries"
  LANGUAGE plpgsql AS $$
DECLARE
  proven record;
BEGIN
  IF entry.actor_kind = 'system' AND entry.chain = 'accounts'
     AND (entry.actor_id, entry.actor_name, entry.action) IN (
       ('nobody', 'Nobody known', 'account.refused'), ('nobody', 'Nobody signed in', 'account.refused'),
       ('sign-in-link', 'cloudwright sign-in-link', 'account.create'),
       ('sign-in-link', 'cloudwright sign-in-link', 'account.change'),
       ('identity-provider', 'Identity provider', 'account.create'),
       ('identity-provider', 'Identity provider', 'account.change')) THEN
    entry.proof := 'none';
    RETURN entry;
  END IF;
  IF entry.actor_kind IS DISTINCT FROM 'person'
     OR entry.action NOT IN ('intent.request', 'intent.approve', 'intent.decline', 'intent.end', 'cluster.approval')
        AND entry.action NOT LIKE 'account.%' AND entry.action NOT LIKE 'audit.%'
     OR entry.chain <> 'accounts' AND NOT EXISTS (SELECT FROM "clusters" WHERE id = entry.chain) THEN
    RAISE EXCEPTION 'the role % may not write audit entries % of a % in the chain %',
      session_user, entry.action, entry.actor_kind, entry.chain USING ERRCODE = 'check_violation';
  END IF;
  SELECT * INTO proven FROM cloudwright_proven_user(item);
  IF NOT FOUND OR proven.user_id IS DISTINCT FROM entry.actor_id THEN
    RAISE EXCEPTION 'the role % may write audit entries of the user % only with a live session of that user',
      session_user, entry.actor_id USING ERRCODE = 'insufficient_privilege';
  END IF;
  entry.actor_name := proven.user_name;
  entry.proof := proven.proof;
  entry.session_id := proven.session_id;
  RETURN entry;
END
$$;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['cloudwright_intent_waits()', 'cloudwright_intent_decided()'] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', name, current_schema());
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', name);
  END LOOP;
  EXECUTE format('ALTER FUNCTION cloudwright_audit_by_web("audit_entries", jsonb) SET search_path = %I, pg_temp', current_schema());
END
$$;
