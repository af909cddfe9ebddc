import type { ListedIntent } from "@cloudwright/core/model/actions/intent";
import type { Database } from "../database/database.ts";
import { type IntentSort, type IntentsFilter, listIntents } from "../intents/intents.ts";
import { type PartialInput, partReader } from "../queries/partial/part-reader.ts";
import { countComments } from "../sql/comments.ts";
import { readList } from "../sql/lists/list.ts";
import { RUNS_WITH_IDS, type RunSort } from "../sql/runs/runs.ts";
import type { Commented, CommentedPage, ListPart } from "../views/comments.ts";
import type { ListInput, RunRow, RunsFilter } from "../views/views.ts";

/* Lists for the dashboard's login only: a controller's login may not read comments. */

/** Lists runs as `listRuns` does, each with the number of its comments; comments on runs that were folded into one count as its own. */
export async function listCommentedRuns(
  db: Database,
  input: ListInput<RunsFilter, RunSort> & PartialInput,
): Promise<CommentedPage<RunRow>> {
  const { part, naming } = partReader<ListPart>(input);
  const page = await readList(db.pool, RUNS_WITH_IDS, input);
  const ids = page.rows.flatMap((row) => row.ids);
  const counting = countComments(db.pool, { cluster: input.cluster, on: "runs", ids });
  const counts = await part("comments", counting, NONE);
  return naming({ ...page, rows: page.rows.map((row) => withCount(row.run, row.ids, counts)) });
}

/** Lists actions as `listIntents` does, each with the number of its comments. */
export async function listCommentedIntents(
  db: Database,
  input: ListInput<IntentsFilter, IntentSort> & PartialInput,
): Promise<CommentedPage<ListedIntent>> {
  const { part, naming } = partReader<ListPart>(input);
  const page = await listIntents(db, input);
  const ids = page.rows.map(({ id }) => id);
  const counting = countComments(db.pool, { cluster: input.cluster, on: "actions", ids });
  const counts = await part("comments", counting, NONE);
  return naming({ ...page, rows: page.rows.map((row) => withCount(row, [row.id], counts)) });
}

const NONE: ReadonlyMap<string, number> = new Map();

function withCount<Row extends object>(
  row: Row,
  ids: readonly string[],
  counts: ReadonlyMap<string, number>,
): Commented<Row> {
  const comments = ids.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0);
  return comments === 0 ? row : { ...row, comments };
}
