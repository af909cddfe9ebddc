-- DropIndex
DROP INDEX "audit_entries_cluster_id_object_kind_object_name_seq_idx";

-- DropIndex
DROP INDEX "audit_entries_cluster_id_seq_idx";

-- By hand: the entries from before the chain are changed here for the last time, so their guard is away until the end.
DROP TRIGGER audit_entries_insert_only ON "audit_entries";
DROP FUNCTION audit_entries_refuse_change();

-- AlterTable, by hand: existing entries are counted anew, from 1 in each chain.
ALTER TABLE "audit_entries" DROP CONSTRAINT "audit_entries_pkey",
ADD COLUMN     "chain" TEXT,
ADD COLUMN     "client_address" TEXT,
ADD COLUMN     "client_agent" TEXT,
ALTER COLUMN "seq" DROP DEFAULT;
DROP SEQUENCE "audit_entries_seq_seq";

UPDATE "audit_entries" SET chain = numbered.chain, seq = numbered.seq
  FROM (SELECT id, COALESCE(cluster_id, 'accounts') AS chain,
               row_number() OVER (PARTITION BY COALESCE(cluster_id, 'accounts') ORDER BY seq) AS seq
          FROM "audit_entries") AS numbered
 WHERE numbered.id = "audit_entries".id;

ALTER TABLE "audit_entries" ALTER COLUMN "chain" SET NOT NULL,
ADD CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("chain", "seq"),
ADD CONSTRAINT "audit_entries_chain_check" CHECK (chain = COALESCE(cluster_id, 'accounts'));

-- CreateTable
CREATE TABLE "audit_chains" (
    "chain" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_chains_pkey" PRIMARY KEY ("chain")
);

-- CreateTable
CREATE TABLE "audit_checkpoints" (
    "chain" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "place" TEXT NOT NULL,

    CONSTRAINT "audit_checkpoints_pkey" PRIMARY KEY ("chain")
);

-- CreateIndex
CREATE INDEX "audit_entries_chain_at_seq_idx" ON "audit_entries"("chain", "at", "seq");

-- CreateIndex
CREATE INDEX "audit_entries_chain_actor_id_seq_idx" ON "audit_entries"("chain", "actor_id", "seq");

-- CreateIndex
CREATE INDEX "audit_entries_chain_actor_name_seq_idx" ON "audit_entries"("chain", "actor_name", "seq");

-- CreateIndex
CREATE INDEX "audit_entries_chain_action_seq_idx" ON "audit_entries"("chain", "action", "seq");

-- CreateIndex
CREATE INDEX "audit_entries_chain_object_name_seq_idx" ON "audit_entries"("chain", "object_name", "seq");

-- From here on by hand: what Prisma cannot model.

CREATE INDEX "audit_entries_intent_idx" ON "audit_entries"("chain", "intent_id", "seq") WHERE "intent_id" IS NOT NULL;
CREATE INDEX "audit_entries_run_idx" ON "audit_entries"("chain", "run_id", "seq") WHERE "run_id" IS NOT NULL;

-- What an entry's hash covers: all of it and the hash before it, as the text of one jsonb array. The order of its
-- members never changes; packages/store/src/audit/entry-text.ts makes the same text without a database.
CREATE FUNCTION cloudwright_audit_text(entry "audit_entries") RETURNS text LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_array(
    'cloudwright-audit-1', entry.chain, entry.seq, entry.prev_hash, entry.id,
    round(extract(epoch FROM entry.at) * 1000)::bigint,
    entry.actor_kind, entry.actor_id, entry.actor_name, entry.action,
    entry.object_kind, entry.object_namespace, entry.object_name, entry.object_uid,
    entry.why, entry.result, entry.before, entry.after,
    entry.run_id, entry.intent_id, entry.client_address, entry.client_agent)::text
$$;

CREATE FUNCTION cloudwright_audit_hash(entry "audit_entries") RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(cloudwright_audit_text(entry), 'UTF8')), 'hex')
$$;

-- Whether the connection's login is a member of this role; false where there is no such role.
CREATE FUNCTION cloudwright_is_member(role_name text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT COALESCE(bool_or(pg_has_role(session_user, oid, 'MEMBER')), false) FROM pg_roles WHERE rolname = role_name
$$;

-- The one way into the table. Takes an entry or an array of entries in their order, with the columns' names and `at` in
-- milliseconds; numbers them, chains them and answers how many were new. An id that is there already is left out. The
-- head's row stays locked until the transaction ends, so that numbers have no gap and no fork.
CREATE FUNCTION cloudwright_audit(given jsonb) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
  SET cloudwright.audit = 'on' AS $$
DECLARE
  list jsonb := CASE jsonb_typeof(given) WHEN 'array' THEN given ELSE jsonb_build_array(given) END;
  by_web boolean := cloudwright_is_member('cloudwright_web');
  by_controller boolean := cloudwright_is_member('cloudwright_controller');
  of_chain text;
  head "audit_chains";
  item jsonb;
  entry "audit_entries";
  added "audit_entries"[];
  count_added bigint := 0;
BEGIN
  FOR of_chain IN
    SELECT DISTINCT COALESCE(one->>'cluster_id', 'accounts') FROM jsonb_array_elements(list) AS one ORDER BY 1
  LOOP
    INSERT INTO "audit_chains" (chain, seq, hash, at)
      VALUES (of_chain, 0, repeat('0', 64), clock_timestamp()) ON CONFLICT DO NOTHING;
    SELECT * INTO STRICT head FROM "audit_chains" WHERE chain = of_chain FOR UPDATE;
    -- An entry that was put in past this function has taken a number; the chain goes round it, and a check names it.
    head.seq := GREATEST(head.seq, (SELECT max(seq) FROM "audit_entries" WHERE chain = of_chain));
    added := '{}';
    FOR item IN
      SELECT first.one FROM (
        SELECT one, place, row_number() OVER (PARTITION BY (one->>'id')::uuid ORDER BY place) AS nth
          FROM jsonb_array_elements(list) WITH ORDINALITY AS given_entries(one, place)
         WHERE COALESCE(one->>'cluster_id', 'accounts') = of_chain) AS first
       WHERE first.nth = 1
         AND NOT EXISTS (SELECT FROM "audit_entries" AS known WHERE known.id = (first.one->>'id')::uuid)
       ORDER BY first.place
    LOOP
      entry := jsonb_populate_record(NULL::"audit_entries", item - 'at');
      -- Each login may only speak for itself, so that taking over the one process does not let it write as the other.
      IF by_controller AND NOT by_web AND (entry.actor_kind = 'person' OR of_chain = 'accounts')
         OR by_web AND NOT by_controller AND entry.actor_kind = 'controller' THEN
        RAISE EXCEPTION 'the role % may not write audit entries of a % in the chain %',
          session_user, entry.actor_kind, of_chain USING ERRCODE = 'check_violation';
      END IF;
      entry.chain := of_chain;
      entry.at := to_timestamp((item->>'at')::float8 / 1000);
      entry.before := COALESCE(entry.before, 'null');
      entry.after := COALESCE(entry.after, 'null');
      entry.seq := head.seq + 1;
      entry.prev_hash := head.hash;
      entry.hash := cloudwright_audit_hash(entry);
      head.seq := entry.seq;
      head.hash := entry.hash;
      added := added || entry;
    END LOOP;
    CONTINUE WHEN cardinality(added) = 0;
    INSERT INTO "audit_entries" SELECT one.* FROM unnest(added) AS one;
    UPDATE "audit_chains" SET seq = head.seq, hash = head.hash, at = clock_timestamp() WHERE chain = of_chain;
    count_added := count_added + cardinality(added);
  END LOOP;
  RETURN count_added;
END
$$;

-- A function that runs with its owner's rights must find no other objects than those meant here (a caller may have made
-- temporary ones of the same name), and only those may call it who are named when rights are granted.
DO $$
DECLARE
  function_id regprocedure;
  is_definer boolean;
BEGIN
  FOR function_id, is_definer IN
    SELECT oid::regprocedure, prosecdef FROM pg_proc
     WHERE pronamespace = current_schema()::regnamespace AND proname LIKE 'cloudwright\_%'
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', function_id, current_schema());
    IF is_definer THEN
      EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', function_id);
    END IF;
  END LOOP;
END
$$;

-- Chains the entries from before.
DO $$
DECLARE
  entry "audit_entries";
  head "audit_chains";
BEGIN
  FOR entry IN SELECT * FROM "audit_entries" ORDER BY chain, seq LOOP
    entry.prev_hash := CASE WHEN entry.chain = head.chain THEN head.hash ELSE repeat('0', 64) END;
    entry.hash := cloudwright_audit_hash(entry);
    head := ROW(entry.chain, entry.seq, entry.hash, clock_timestamp());
    UPDATE "audit_entries" SET prev_hash = entry.prev_hash, hash = entry.hash
     WHERE chain = entry.chain AND seq = entry.seq;
    INSERT INTO "audit_chains" SELECT head.* ON CONFLICT (chain)
      DO UPDATE SET seq = EXCLUDED.seq, hash = EXCLUDED.hash, at = EXCLUDED.at;
  END LOOP;
END
$$;
ALTER TABLE "audit_entries" ALTER COLUMN "prev_hash" SET NOT NULL, ALTER COLUMN "hash" SET NOT NULL;

-- Nobody changes entries, and nobody adds one past the function, not even the owner unless the guard is taken away.
CREATE FUNCTION audit_entries_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' AND current_setting('cloudwright.audit', true) = 'on' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'audit entries are added by cloudwright_audit alone and never changed or deleted (% on audit_entries was refused)', TG_OP
    USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER audit_entries_by_function_only
  BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "audit_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_refuse();
