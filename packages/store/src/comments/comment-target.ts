import { t } from "@cloudwright/core/model/language/text";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import type { Database } from "../database/database.ts";
import { objectOfIntent } from "../intents/stored-intent.ts";
import { OperationError } from "../operations/errors.ts";
import { isUuid } from "../sql/lists/cursor.ts";
import { findRun, idsOfRun, runRow } from "../sql/runs/runs.ts";
import type { CommentTarget } from "../views/comments.ts";

/** The target of a comment, as the ledger has it. */
export interface FoundTarget {
  readonly object: ObjectRef;
  /** The condition that selects the rows of its comments. */
  readonly where:
    | { readonly clusterId: string; readonly intentId: string }
    | { readonly clusterId: string; readonly runId: { readonly in: string[] } };
  /** The columns that identify the target in a row. */
  readonly columns:
    | { readonly intentId: string }
    | { readonly runId: string; readonly runStartedAt: Date };
}

interface TargetInput {
  readonly cluster: string;
  readonly about: CommentTarget;
}

/** Returns a run or an action of the cluster; for a run that was folded, the run that stands for it. Throws OperationError NotFound. */
export async function findTarget(db: Database, input: TargetInput): Promise<FoundTarget> {
  const found = await lookUp(db, input);
  if (found !== undefined) return found;
  throw new OperationError("NotFound", () =>
    input.about.kind === "run"
      ? t`No such run in this cluster; old runs are removed.`
      : t`No such action in this cluster; old actions are removed.`,
  );
}

/** Does the same, but returns undefined when the target no longer exists. */
export async function lookUp(
  db: Database,
  { cluster, about: { kind, id } }: TargetInput,
): Promise<FoundTarget | undefined> {
  if (!isUuid(id)) return undefined;
  return kind === "run" ? await runTarget(db, cluster, id) : await actionTarget(db, cluster, id);
}

async function runTarget(db: Database, cluster: string, id: string) {
  const run = await findRun(db.pool, { cluster, id });
  if (run === undefined) return undefined;
  const { id: runId, startedAt, object } = runRow(run);
  return {
    object,
    where: { clusterId: cluster, runId: { in: [...idsOfRun(run)] } },
    columns: { runId, runStartedAt: new Date(startedAt) },
  };
}

async function actionTarget(db: Database, cluster: string, id: string) {
  const intent = await db.prisma.intent.findFirst({ where: { id, clusterId: cluster } });
  if (intent === null) return undefined;
  const columns = { intentId: intent.id };
  return { object: objectOfIntent(intent), where: { clusterId: cluster, ...columns }, columns };
}
