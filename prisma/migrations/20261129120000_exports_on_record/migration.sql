-- As before, and users export lists: each export is on the record, and with a login of its own the dashboard could write no such entry.
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
     OR entry.action NOT IN ('intent.request', 'intent.approve', 'intent.decline', 'intent.end', 'cluster.approval',
          'list.export')
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
BEGIN
  EXECUTE format('ALTER FUNCTION cloudwright_audit_by_web("audit_entries", jsonb) SET search_path = %I, pg_temp', current_schema());
END
$$;
