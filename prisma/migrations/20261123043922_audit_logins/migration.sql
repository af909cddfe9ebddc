-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "format" SMALLINT NOT NULL DEFAULT 1,
ADD COLUMN     "proof" TEXT,
ADD COLUMN     "session_id" TEXT,
ADD COLUMN     "written_by" TEXT;

-- CreateTable
CREATE TABLE "controller_logins" (
    "login" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "bound_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "bound_by" TEXT NOT NULL,

    CONSTRAINT "controller_logins_pkey" PRIMARY KEY ("login","cluster_id")
);

-- CreateTable
CREATE TABLE "audit_sessions" (
    "xact" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "user_name" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,

    CONSTRAINT "audit_sessions_pkey" PRIMARY KEY ("xact")
);

-- From here on by hand: what Prisma cannot model.

-- What the actor of an entry was taken from. Entries from before are of format 1 and say nothing of it.
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_actor_check" CHECK (
  format = 1 OR (written_by IS NOT NULL AND (proof = 'session') = (session_id IS NOT NULL) AND CASE proof
    WHEN 'session' THEN actor_kind = 'person'
    WHEN 'sign-in-link' THEN actor_kind = 'person' AND chain = 'accounts'
    WHEN 'controller-login' THEN actor_kind IN ('controller', 'system') AND chain <> 'accounts'
    WHEN 'none' THEN actor_kind = 'system' AND chain = 'accounts'
    WHEN 'owner' THEN true
    ELSE false
  END));

-- The controllers of an existing ledger share one role; they go on with the clusters that are there.
INSERT INTO "controller_logins" (login, cluster_id, bound_by)
  SELECT 'cloudwright_controller', id, 'migration' FROM "clusters"
  UNION SELECT 'cloudwright_controller', chain, 'migration' FROM "audit_chains" WHERE chain <> 'accounts';

-- Each chain has a head from its beginning, so that one without is known to have lost it.
INSERT INTO "audit_chains" (chain, seq, hash, at)
  SELECT chain, 0, repeat('0', 64), now() FROM (SELECT 'accounts' AS chain UNION SELECT id FROM "clusters") AS chains
  ON CONFLICT DO NOTHING;

CREATE FUNCTION cloudwright_begin_chain() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO "audit_chains" (chain, seq, hash, at)
    VALUES (NEW.id, 0, repeat('0', 64), clock_timestamp()) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER clusters_begin_chain AFTER INSERT ON "clusters"
  FOR EACH ROW EXECUTE FUNCTION cloudwright_begin_chain();

-- What a hash covers. Format 1 is as it was; format 2 also covers login, proof and session. Whatever else is added to the
-- table gets a format of its own. packages/store/src/audit/entry-text.ts makes the same text without a database.
CREATE OR REPLACE FUNCTION cloudwright_audit_text(entry "audit_entries") RETURNS text LANGUAGE sql STABLE AS $$
  SELECT (jsonb_build_array(
    'cloudwright-audit-' || entry.format, entry.chain, entry.seq, entry.prev_hash, entry.id,
    round(extract(epoch FROM entry.at) * 1000)::bigint,
    entry.actor_kind, entry.actor_id, entry.actor_name, entry.action,
    entry.object_kind, entry.object_namespace, entry.object_name, entry.object_uid,
    entry.why, entry.result, entry.before, entry.after,
    entry.run_id, entry.intent_id, entry.client_address, entry.client_agent)
    || CASE entry.format WHEN 1 THEN '[]'::jsonb
       ELSE jsonb_build_array(entry.written_by, entry.proof, entry.session_id) END)::text
$$;

-- Whose login this connection has: `owner` may do anything to the ledger as it is, `both` is a member of both roles.
CREATE FUNCTION cloudwright_login_kind() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = '"audit_entries"'::regclass), 'MEMBER')
      THEN 'owner'
    WHEN cloudwright_is_member('cloudwright_web') AND cloudwright_is_member('cloudwright_controller') THEN 'both'
    WHEN cloudwright_is_member('cloudwright_web') THEN 'web'
    WHEN cloudwright_is_member('cloudwright_controller') THEN 'controller'
    ELSE 'none'
  END
$$;

-- The clusters for which this connection's login may write: those that are granted to it, or else those that the logins
-- without a grant of their own share.
CREATE FUNCTION cloudwright_login_clusters() RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT COALESCE(
    (SELECT array_agg(cluster_id ORDER BY cluster_id) FROM "controller_logins" WHERE login = session_user),
    (SELECT array_agg(cluster_id ORDER BY cluster_id) FROM "controller_logins" WHERE login = 'cloudwright_controller'),
    '{}')
$$;

-- Verifies a session for the rest of this transaction, so that ending it can be written down in its user's name; answers
-- whether there is such a session. The transaction's own number binds the verification to it.
CREATE FUNCTION cloudwright_audit_session(id_given text, hash_given text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  DELETE FROM "audit_sessions" WHERE xact IN (
    SELECT over.xact FROM "audit_sessions" AS over
     WHERE over.xact::xid8 < pg_snapshot_xmin(pg_current_snapshot()) FOR UPDATE SKIP LOCKED);
  INSERT INTO "audit_sessions" (xact, user_id, user_name, session_id)
    SELECT pg_current_xact_id()::text, verified.user_id, verified.user_name, verified.session_id
      FROM cloudwright_verified_session(id_given, hash_given) AS verified
    ON CONFLICT (xact) DO UPDATE
      SET user_id = EXCLUDED.user_id, user_name = EXCLUDED.user_name, session_id = EXCLUDED.session_id;
  RETURN FOUND;
END
$$;

-- The user of a live session, by the hash of the token that the browser holds.
CREATE FUNCTION cloudwright_verified_session(id_given text, hash_given text)
  RETURNS TABLE (user_id text, user_name text, session_id text) LANGUAGE sql VOLATILE AS $$
  SELECT users.id, users.name, sessions.id
    FROM "sessions" AS sessions JOIN "users" AS users ON users.id = sessions.user_id
   WHERE sessions.id = $1 AND encode(sha256(convert_to(sessions.token, 'UTF8')), 'hex') = $2
     AND sessions.expires_at > clock_timestamp() AND users.banned IS NOT TRUE
$$;

-- The user who is proven: by a session, given with the entry or verified earlier in this transaction; or by a sign-in link,
-- which says that it is used up in this very transaction or was refused. No row without proof.
CREATE FUNCTION cloudwright_proven_user(item jsonb)
  RETURNS TABLE (user_id text, user_name text, session_id text, proof text) LANGUAGE sql VOLATILE AS $$
  SELECT user_id, user_name, session_id, 'session'
    FROM cloudwright_verified_session(item->>'session_id', item->>'session_token_hash')
  UNION ALL
  SELECT user_id, user_name, session_id, 'session'
    FROM "audit_sessions" WHERE xact = pg_current_xact_id_if_assigned()::text
  UNION ALL
  SELECT users.id, users.name, NULL, 'sign-in-link'
    FROM "sign_in_tokens" AS link JOIN "users" AS users ON users.id = link.user_id
   WHERE link.token_hash = encode(sha256(convert_to(item->>'sign_in_token', 'UTF8')), 'hex')
     AND (item->>'action' = 'account.refused' AND item->>'result' = 'refused'
          OR item->>'action' = 'account.sign-in' AND link.used_at IS NOT NULL
             AND link.xmin = pg_current_xact_id()::xid)
  LIMIT 1
$$;

-- An entry through the dashboard's login: of a user who is proven, or of nobody who is known.
CREATE FUNCTION cloudwright_audit_by_web(entry "audit_entries", item jsonb) RETURNS "audit_entries"
  LANGUAGE plpgsql AS $$
DECLARE
  proven record;
BEGIN
  IF entry.actor_kind = 'system' AND entry.chain = 'accounts'
     AND (entry.actor_id, entry.actor_name, entry.action) IN (
       ('nobody', 'Nobody known', 'account.refused'), ('nobody', 'Nobody signed in', 'account.refused'),
       ('sign-in-link', 'cloudwright sign-in-link', 'account.create'),
       ('sign-in-link', 'cloudwright sign-in-link', 'account.change')) THEN
    entry.proof := 'none';
    RETURN entry;
  END IF;
  IF entry.actor_kind IS DISTINCT FROM 'person'
     OR entry.action NOT IN ('intent.request', 'intent.end') AND entry.action NOT LIKE 'account.%'
        AND entry.action NOT LIKE 'audit.%'
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

-- An entry through a controller's login: of a controller, in a chain of its login's clusters. While no login has any, the
-- first cluster that writes takes the shared one.
CREATE FUNCTION cloudwright_audit_by_controller(entry "audit_entries") RETURNS "audit_entries" LANGUAGE plpgsql AS $$
DECLARE
  clusters text[];
BEGIN
  IF entry.chain = 'accounts' OR entry.action = 'intent.request' OR entry.action LIKE 'account.%'
     OR entry.action LIKE 'audit.%' OR entry.actor_kind IS NULL
     OR NOT (entry.actor_kind = 'controller'
             OR (entry.actor_kind, entry.actor_id, entry.actor_name) = ('system', 'cloudwright', 'Cloudwright')) THEN
    RAISE EXCEPTION 'the role % may not write audit entries % of a % in the chain %',
      session_user, entry.action, entry.actor_kind, entry.chain USING ERRCODE = 'check_violation';
  END IF;
  IF NOT EXISTS (SELECT FROM "controller_logins") THEN
    LOCK TABLE "controller_logins" IN SHARE ROW EXCLUSIVE MODE;
    INSERT INTO "controller_logins" (login, cluster_id, bound_by)
      SELECT 'cloudwright_controller', entry.chain, 'first cluster'
       WHERE NOT EXISTS (SELECT FROM "controller_logins");
  END IF;
  clusters := cloudwright_login_clusters();
  IF NOT entry.chain = ANY(clusters) THEN
    RAISE EXCEPTION 'the login % may write audit entries of the clusters % only, not of %: run cloudwright database grant --cluster %',
      session_user, clusters, entry.chain, entry.chain USING ERRCODE = 'insufficient_privilege';
  END IF;
  entry.proof := 'controller-login';
  RETURN entry;
END
$$;

-- The one way into the table. Takes an entry or an array of entries in their order, with the columns' names and `at` in
-- milliseconds; numbers them, chains them and answers how many were new. An id that is there already is left out. The
-- head's row stays locked until the transaction ends, so that numbers have no gap and no fork. Who did it, and how that is
-- known, comes from the login and what was proven, not from the entry; an entry that says otherwise is refused.
CREATE OR REPLACE FUNCTION cloudwright_audit(given jsonb) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
  SET cloudwright.audit = 'on' AS $$
DECLARE
  list jsonb := CASE jsonb_typeof(given) WHEN 'array' THEN given ELSE jsonb_build_array(given) END;
  login_kind text := cloudwright_login_kind();
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
      entry.chain := of_chain;
      entry.format := 2;
      entry.written_by := session_user;
      entry.session_id := NULL;
      IF login_kind = 'owner' THEN
        entry.proof := 'owner';
      ELSIF login_kind = 'web'
            OR login_kind = 'both' AND (entry.actor_kind = 'person' OR of_chain = 'accounts') THEN
        entry := cloudwright_audit_by_web(entry, item);
      ELSE
        entry := cloudwright_audit_by_controller(entry);
      END IF;
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

-- Through the dashboard's login an action is asked for by a user whose session was verified in this transaction.
CREATE FUNCTION cloudwright_intent_actor() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  verified "audit_sessions";
BEGIN
  IF cloudwright_login_kind() = 'owner' THEN
    RETURN NEW;
  END IF;
  SELECT * INTO verified FROM "audit_sessions" WHERE xact = pg_current_xact_id()::text;
  IF verified.user_id IS DISTINCT FROM NEW.actor_id THEN
    RAISE EXCEPTION 'the role % may ask for actions of the user % only with a live session of that user',
      session_user, NEW.actor_id USING ERRCODE = 'insufficient_privilege';
  END IF;
  NEW.actor_name := verified.user_name;
  RETURN NEW;
END
$$;
CREATE TRIGGER intents_actor BEFORE INSERT ON "intents"
  FOR EACH ROW EXECUTE FUNCTION cloudwright_intent_actor();

-- A controller notes checkpoints of its own cluster's chain and of that of accounts, which all clusters write down.
CREATE FUNCTION cloudwright_checkpoint_chain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF cloudwright_login_kind() <> 'owner' AND NEW.chain <> 'accounts'
     AND NOT NEW.chain = ANY(cloudwright_login_clusters()) THEN
    RAISE EXCEPTION 'the login % may note checkpoints of the clusters % only, not of %: run cloudwright database grant --cluster %',
      session_user, cloudwright_login_clusters(), NEW.chain, NEW.chain USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER audit_checkpoints_chain BEFORE INSERT OR UPDATE ON "audit_checkpoints"
  FOR EACH ROW EXECUTE FUNCTION cloudwright_checkpoint_chain();

-- As for the functions from before: they find no other objects than those meant here, and those with their owner's rights
-- are called by nobody but those who are named when rights are granted.
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
