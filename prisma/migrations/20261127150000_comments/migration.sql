-- CreateTable
CREATE TABLE "comments" (
    "id" UUID NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "run_id" UUID,
    "run_started_at" TIMESTAMPTZ(3),
    "intent_id" UUID,
    "text" TEXT NOT NULL,
    "author_id" TEXT NOT NULL,
    "author_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "withdrawn_at" TIMESTAMPTZ(3),
    "withdrawn_by_name" TEXT,

    CONSTRAINT "comments_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "comments_cluster_id_run_id_idx" ON "comments"("cluster_id", "run_id");

-- CreateIndex
CREATE INDEX "comments_run_started_at_idx" ON "comments"("run_started_at");

-- CreateIndex
CREATE INDEX "comments_intent_id_idx" ON "comments"("intent_id");

-- AddForeignKey
ALTER TABLE "comments" ADD CONSTRAINT "comments_intent_id_fkey" FOREIGN KEY ("intent_id") REFERENCES "intents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- From here on by hand: what Prisma cannot model.

ALTER TABLE "comments" ADD CONSTRAINT "comments_of_one"
  CHECK (("run_id" IS NULL) <> ("intent_id" IS NULL) AND ("run_id" IS NULL) = ("run_started_at" IS NULL));
ALTER TABLE "comments" ADD CONSTRAINT "comments_text"
  CHECK (CASE WHEN "withdrawn_at" IS NULL THEN char_length("text") BETWEEN 1 AND 2000 ELSE "text" = '' END);
ALTER TABLE "comments" ADD CONSTRAINT "comments_withdrawn"
  CHECK (("withdrawn_at" IS NULL) = ("withdrawn_by_name" IS NULL));

CREATE TRIGGER "comments_notify_insert"
  AFTER INSERT ON "comments" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('comments');
CREATE TRIGGER "comments_notify_update"
  AFTER UPDATE ON "comments" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cloudwright('comments');

-- A comment is never edited: it can only lose its text, once, as it is withdrawn.
CREATE FUNCTION cloudwright_comment_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.withdrawn_at IS NOT NULL OR NEW.withdrawn_at IS NULL THEN
    RAISE EXCEPTION 'a comment can only be withdrawn, once (a change of % was refused)', OLD.id
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "comments_change"
  BEFORE UPDATE ON "comments" FOR EACH ROW EXECUTE FUNCTION cloudwright_comment_change();

-- As it was, but the comments on a day's runs go with the day. Those of days that are dropped already are looked for as well:
-- one may have been written while its run went.
CREATE OR REPLACE FUNCTION cloudwright_drop_run_days(before timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
DECLARE
  partition regclass;
  dropped integer := 0;
BEGIN
  PERFORM cloudwright_check_is_past(before);
  FOR partition IN
    SELECT pg_inherits.inhrelid
      FROM pg_inherits JOIN pg_class ON pg_class.oid = pg_inherits.inhrelid
     WHERE pg_inherits.inhparent = 'runs'::regclass AND pg_class.relname ~ '^runs_\d{8}$'
       AND (to_date(right(pg_class.relname, 8), 'YYYYMMDD') + 1)::timestamp AT TIME ZONE 'UTC' <= before
     ORDER BY pg_class.relname
  LOOP
    EXECUTE format('DROP TABLE %s', partition);
    dropped := dropped + 1;
  END LOOP;
  DELETE FROM comments WHERE run_started_at < date_trunc('day', before, 'UTC');
  RETURN dropped;
END
$$;

-- As for the functions from before: they find no other objects than those meant here.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION cloudwright_comment_change() SET search_path = %I, pg_temp', current_schema());
  EXECUTE format('ALTER FUNCTION cloudwright_drop_run_days(timestamptz) SET search_path = %I, pg_temp', current_schema());
END
$$;
