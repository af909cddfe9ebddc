import { objectKind } from "@cloudwright/core/model/kinds/kinds";
import { t } from "@cloudwright/core/model/language/text";
import { objectRefOf } from "@cloudwright/core/model/object-ref";
import type { Database } from "../../database/database.ts";
import { OperationError } from "../../operations/errors.ts";
import { listPages } from "../../sql/lists/list.ts";
import { changedObjects, readChanges, type TwoTimes } from "../../sql/runs/changes.ts";
import { doneBetween, type RunsOf } from "../../sql/runs/done-between.ts";
import type {
  ChangesFilter,
  ChangesPage,
  ChangesSort,
  CountedChange,
  ObjectChange,
} from "../../views/changes.ts";
import type { ListInput } from "../../views/views.ts";

type ChangesInput = ListInput<ChangesFilter, ChangesSort> & { readonly now: number };

const HOUR_MS = 3_600_000;

/**
 * Lists the objects that differ between two times, and the runs in between. Throws OperationError Invalid for times in the wrong order, a
 * bad limit or a bad cursor.
 */
export async function listChanges(db: Database, input: ChangesInput): Promise<ChangesPage> {
  const { cluster } = input;
  const times = timesOf(input);
  const [page, completeFrom] = await Promise.all([
    readChanges(db.pool, times, input),
    historyFrom(db, cluster),
  ]);
  const rows = await withCounts(db, times, { cluster, rows: page.rows });
  return { ...page, ...times, rows, completeFrom };
}

/** Yields all of them in pages that are read on demand. Throws as the list does. */
export async function* changePages(
  db: Database,
  input: Omit<ChangesInput, "cursor" | "limit">,
): AsyncGenerator<readonly CountedChange[]> {
  const times = timesOf(input);
  for await (const rows of listPages(db.pool, changedObjects(times), input)) {
    yield await withCounts(db, times, { cluster: input.cluster, rows });
  }
}

function timesOf({ filter, now }: Pick<ChangesInput, "filter" | "now">): TwoTimes {
  const to = filter.to ?? now;
  const from = filter.from ?? to - HOUR_MS;
  if (from < to) return { from, to };
  throw new OperationError(
    "Invalid",
    () => t`The first of the two times must be before the second one.`,
  );
}

async function withCounts(
  db: Database,
  times: TwoTimes,
  { cluster, rows }: { readonly cluster: string; readonly rows: readonly ObjectChange[] },
): Promise<readonly CountedChange[]> {
  const done = await doneBetween(db.pool, times, { cluster, objects: rows.map(runsOf) });
  return rows.map((row, index) => ({ ...row, ...(done[index] ?? NOTHING) }));
}

const NOTHING = { runs: 0, cloudWrites: 0 } as const;

/** A part of an object has its controller's runs of the whole object. */
function runsOf({ kind, name }: ObjectChange): RunsOf {
  const { partOf } = objectKind(kind);
  return { ...objectRefOf({ kind: partOf?.kind ?? kind, name }), controller: partOf?.controller };
}

async function historyFrom({ prisma }: Database, cluster: string): Promise<number | undefined> {
  const history = await prisma.stateHistory.findUnique({ where: { clusterId: cluster } });
  return history?.completeFrom.getTime();
}
