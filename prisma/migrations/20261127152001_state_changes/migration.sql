-- CreateTable
CREATE TABLE "state_changes" (
    "cluster_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "uid" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "state_rank" SMALLINT NOT NULL,
    "reason" JSONB NOT NULL,
    "reason_code" TEXT NOT NULL,
    "drift" TEXT NOT NULL,
    "address" TEXT,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "appeared" BOOLEAN NOT NULL,

    CONSTRAINT "state_changes_pkey" PRIMARY KEY ("cluster_id","kind","name","at")
);

-- CreateTable
CREATE TABLE "state_histories" (
    "cluster_id" TEXT NOT NULL,
    "complete_from" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "state_histories_pkey" PRIMARY KEY ("cluster_id")
);

-- CreateIndex
CREATE INDEX "state_changes_at_cluster_id_idx" ON "state_changes"("at", "cluster_id");

-- From here on by hand. Whoever writes a state, this release or the one before, adds what the object became. A row that is
-- written anew without a difference that somebody would see costs the comparison alone.
--
-- The moment is that of the report. What becomes another without one, because another controller is waited for, does so now;
-- and as an outage of the database may bring reports late, each is later than the one before of its object.
CREATE FUNCTION cloudwright_note_state() RETURNS trigger
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
  INSERT INTO state_changes (cluster_id, kind, name, at, uid, state, state_rank, reason, reason_code, drift, address,
                             name_key, appeared)
  VALUES (NEW.cluster_id, NEW.kind, NEW.name, GREATEST(moment, previous + interval '1 millisecond'), NEW.uid, NEW.state,
          NEW.state_rank, NEW.reason, NEW.reason_code, NEW.drift, NEW.address, NEW.name_key,
          TG_OP = 'INSERT' OR OLD.state = 'gone');
  RETURN NULL;
END
$$;

-- The tables of the kinds inherit the columns of the first, and no triggers.
DO $$
DECLARE
  states text;
BEGIN
  FOREACH states IN ARRAY ARRAY['all_states', 'node_states', 'load_balancer_states', 'route_states', 'volume_states'] LOOP
    EXECUTE format($note$
      CREATE TRIGGER %2$I AFTER INSERT ON %1$I FOR EACH ROW EXECUTE FUNCTION cloudwright_note_state();
      CREATE TRIGGER %3$I AFTER UPDATE ON %1$I FOR EACH ROW
        WHEN (OLD.state <> NEW.state OR OLD.address IS DISTINCT FROM NEW.address
          OR (OLD.drift = 'drifted') <> (NEW.drift = 'drifted')
          OR (OLD.uid <> NEW.uid AND OLD.uid <> '' AND NEW.uid <> '')
          OR (OLD.reason_code <> NEW.reason_code AND NEW.state <> 'ok'))
        EXECUTE FUNCTION cloudwright_note_state();
      CREATE TRIGGER %4$I AFTER DELETE ON %1$I FOR EACH ROW
        WHEN (OLD.state <> 'gone') EXECUTE FUNCTION cloudwright_note_state();
    $note$, states, states || '_note_insert', states || '_note_update', states || '_note_delete');
  END LOOP;
END
$$;

-- What is known of before: each object has been in its state for that long.
INSERT INTO state_changes (cluster_id, kind, name, at, uid, state, state_rank, reason, reason_code, drift, address, name_key,
                           appeared)
SELECT cluster_id, kind, name, LEAST(since, updated_at), uid, state, state_rank, reason, reason_code, drift, address, name_key,
       false
  FROM all_states;
INSERT INTO state_histories SELECT DISTINCT cluster_id, now() FROM all_states;

-- Removes what objects were before then, but for the last that each became; of what was gone by then also that. Answers how
-- many it removed.
CREATE FUNCTION cloudwright_drop_old_states(before timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  removed integer;
BEGIN
  PERFORM cloudwright_check_is_past(before);
  WITH old AS (
    DELETE FROM state_changes AS old
     WHERE old.cluster_id IN (SELECT id FROM clusters) AND old.at < before
       AND (old.state = 'gone'
            OR EXISTS (SELECT 1 FROM state_changes AS newer
                        WHERE newer.cluster_id = old.cluster_id AND newer.kind = old.kind AND newer.name = old.name
                          AND newer.at > old.at AND newer.at < before))
    RETURNING cluster_id
  ), histories AS (
    INSERT INTO state_histories SELECT DISTINCT cluster_id, before FROM old
    ON CONFLICT (cluster_id) DO UPDATE
       SET complete_from = GREATEST(state_histories.complete_from, EXCLUDED.complete_from)
  )
  SELECT count(*) INTO removed FROM old;
  RETURN removed;
END
$$;
