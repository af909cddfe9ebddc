-- AlterTable
ALTER TABLE "state_changes" ADD COLUMN "until" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "node_states_cluster_id_initialised_at_init_ms_idx" ON "node_states"("cluster_id", "initialised_at", "init_ms");

-- From here on by hand. What is there from before: each was what it was until the next of its object.
UPDATE state_changes SET until = followed.next
  FROM (SELECT cluster_id, kind, name, at, lead(at) OVER (PARTITION BY cluster_id, kind, name ORDER BY at) AS next
          FROM state_changes) AS followed
 WHERE state_changes.cluster_id = followed.cluster_id AND state_changes.kind = followed.kind
   AND state_changes.name = followed.name AND state_changes.at = followed.at AND followed.next IS NOT NULL;

-- CreateIndex
CREATE INDEX "state_changes_until_cluster_id_at_idx" ON "state_changes"("until", "cluster_id", "at");

-- As before, but that what the object was until then ends with what it became.
CREATE OR REPLACE FUNCTION cloudwright_note_state() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  previous timestamptz;
BEGIN
  IF TG_OP = 'DELETE' THEN
    NEW := OLD;
    NEW.state := 'gone';
    NEW.state_rank := 6;
    NEW.reason := '{"code":"ObjectGone"}';
    NEW.reason_code := 'ObjectGone';
    NEW.drift := 'notChecked';
  ELSIF TG_OP = 'INSERT' OR NEW.updated_at > OLD.updated_at THEN
    moment := LEAST(NEW.updated_at, moment);
  END IF;
  -- Those of one object are few; looked for as the newest, they would be searched for among those of all.
  WITH known AS MATERIALIZED (
    SELECT at FROM state_changes WHERE cluster_id = NEW.cluster_id AND kind = NEW.kind AND name = NEW.name
  )
  SELECT max(at) INTO previous FROM known;
  moment := GREATEST(moment, previous + interval '1 millisecond');
  INSERT INTO state_changes (cluster_id, kind, name, at, uid, state, state_rank, reason, reason_code, drift, address,
                             name_key, appeared)
  VALUES (NEW.cluster_id, NEW.kind, NEW.name, moment, NEW.uid, NEW.state, NEW.state_rank, NEW.reason, NEW.reason_code,
          NEW.drift, NEW.address, NEW.name_key, TG_OP = 'INSERT' OR OLD.state = 'gone');
  IF previous IS NOT NULL THEN
    UPDATE state_changes SET until = moment
     WHERE cluster_id = NEW.cluster_id AND kind = NEW.kind AND name = NEW.name AND at = previous;
  END IF;
  RETURN NULL;
END
$$;

-- The runs of an object are counted without being read: its index has what tells which of them count. Runs are read while the new
-- one is made; the old one, of which it has all, goes at the very end.
CREATE INDEX "runs_of_object_idx" ON "runs"("cluster_id", "object_name", "started_at", "id")
  INCLUDE ("object_kind", "object_namespace", "controller", "dry_run", "folded");

-- Few of an object's runs write to the cloud.
CREATE INDEX "runs_cloud_writes_idx" ON "runs"("cluster_id", "object_name", "started_at")
  WHERE applied > 0 AND changes @> '[{"system": "cloud"}]';

-- As for the functions from before: it finds no other objects than those meant here.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION cloudwright_note_state() SET search_path = %I, pg_temp', current_schema());
END
$$;

DROP INDEX "runs_cluster_id_object_name_started_at_id_idx";
