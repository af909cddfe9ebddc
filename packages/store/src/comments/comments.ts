import { randomUUID } from "node:crypto";
import { t } from "@cloudwright/core/model/language/text";
import { roleIncludes } from "@cloudwright/core/model/roles";
import { z } from "zod";
import type { Prisma, Comment as StoredComment } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import { type Attempt, carryOut, type VerbContext } from "../operations/verb.ts";
import { lockUntilEnd } from "../sql/intents.ts";
import { isUuid } from "../sql/lists/cursor.ts";
import { storableText } from "../text/storable-text.ts";
import {
  COMMENT_MOST,
  COMMENTED_KINDS,
  COMMENTS_MOST,
  type Comment,
  type CommentTarget,
} from "../views/comments.ts";
import { type FoundTarget, findTarget, lookUp } from "./comment-target.ts";

const clusterSchema = z.object({ cluster: storableText(200).min(1) });

export const commentsInputSchema = clusterSchema.extend({
  about: z.object({ kind: z.enum(COMMENTED_KINDS), id: storableText(200) }),
});
export type CommentsInput = z.infer<typeof commentsInputSchema>;

/** The text as it was typed, without surrounding blanks and with uniform line ends. */
const textSchema = storableText(2 * COMMENT_MOST)
  .overwrite((text) => text.replaceAll(/\r\n?/g, "\n"))
  .trim()
  .min(1, "Write the comment first.")
  .max(COMMENT_MOST, "A comment has at most 2,000 characters.");

export const addCommentSchema = commentsInputSchema.extend({ text: textSchema });
export type AddCommentInput = z.infer<typeof addCommentSchema>;

type Reader = Pick<VerbContext, "db" | "actor">;

/** Returns the comments, newest last. Throws OperationError NotFound for a run or an action that the cluster does not have. */
export async function listComments(
  reader: Reader,
  input: CommentsInput,
): Promise<readonly Comment[]> {
  const { where } = await findTarget(reader.db, input);
  const rows = await reader.db.prisma.comment.findMany({
    where,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map((row) => commentOf(row, reader));
}

function commentOf(row: StoredComment, { actor }: Pick<Reader, "actor">): Comment {
  const { id, text, authorName: author, createdAt, withdrawnAt, withdrawnByName } = row;
  const isWithdrawn = withdrawnAt !== null;
  return {
    ...{ id, text, author, at: createdAt.getTime() },
    withdrawn: isWithdrawn
      ? { by: withdrawnByName ?? author, at: withdrawnAt.getTime() }
      : undefined,
    mayWithdraw: !isWithdrawn && mayWithdraw(row, actor),
  };
}

function mayWithdraw({ authorId }: StoredComment, actor: Reader["actor"]): boolean {
  return authorId === actor.id || roleIncludes(actor.role, "admin");
}

/** Writes a comment. Throws OperationError Forbidden, NotFound, and Limit when the target has too many. */
export async function addComment(
  context: VerbContext,
  input: AddCommentInput,
): Promise<{ readonly id: string }> {
  const { cluster, about, text } = input;
  const target = await findTarget(context.db, input);
  const id = randomUUID();
  const attempt = {
    ...attemptOf({ action: "account.comment-add", cluster, about, object: target.object }),
    needs: "operator",
  } as const;
  return carryOut(context, attempt, async (tx) => {
    await lockUntilEnd(tx, `comments on ${about.kind} ${about.id}`);
    await requireRoom(tx, target, about.kind);
    const { id: authorId, name: authorName } = context.actor;
    const by = { authorId, authorName, createdAt: new Date() };
    await tx.comment.create({ data: { id, clusterId: cluster, ...target.columns, text, ...by } });
    const after = { comment: id, [about.kind]: about.id, characters: text.length };
    return { result: { id }, audit: { before: null, after } };
  });
}

async function requireRoom(
  tx: Prisma.TransactionClient,
  { where }: FoundTarget,
  kind: CommentTarget["kind"],
): Promise<void> {
  if ((await tx.comment.count({ where })) < COMMENTS_MOST) return;
  throw new OperationError("Limit", () =>
    kind === "run"
      ? t`This run has ${COMMENTS_MOST} comments already.`
      : t`This action has ${COMMENTS_MOST} comments already.`,
  );
}

export const withdrawCommentSchema = clusterSchema.extend({ id: storableText(200) });
export type WithdrawCommentInput = z.infer<typeof withdrawCommentSchema>;

/**
 * Deletes the text of the user's own comment, or as an admin of anybody's. The comment's row stays and names who withdrew it. Throws
 * OperationError NotFound and Forbidden.
 */
export async function withdrawComment(
  context: VerbContext,
  { cluster, id }: WithdrawCommentInput,
): Promise<void> {
  const found = isUuid(id)
    ? await context.db.prisma.comment.findFirst({ where: { id, clusterId: cluster } })
    : null;
  // Not an audited attempt: there is no object that an audit entry could name.
  if (found === null)
    throw new OperationError("NotFound", () => t`No such comment in this cluster.`);
  const about = aboutOf(found);
  const object = (await lookUp(context.db, { cluster, about }))?.object;
  const attempt = attemptOf({ action: "account.comment-withdraw", cluster, about, object });
  return carryOut(context, { ...attempt, wanted: { comment: id } }, async (tx) => {
    requireWithdrawer(context, found);
    const { count } = await tx.comment.updateMany({
      where: { id, withdrawnAt: null },
      data: { text: "", withdrawnAt: new Date(), withdrawnByName: context.actor.name },
    });
    if (count === 0) return { result: undefined };
    const before = { comment: id, [about.kind]: about.id, author: found.authorName };
    return { result: undefined, audit: { before, after: null } };
  });
}

function requireWithdrawer({ actor }: VerbContext, found: StoredComment): void {
  if (mayWithdraw(found, actor)) return;
  throw new OperationError(
    "Forbidden",
    () => t`Only ${found.authorName}, who wrote it, or an admin can withdraw this comment.`,
  );
}

function aboutOf({ runId, intentId, id }: StoredComment): CommentTarget {
  if (runId !== null) return { kind: "run", id: runId };
  return { kind: "action", id: intentId ?? id };
}

const WHY = {
  "account.comment-add": "Commented on",
  "account.comment-withdraw": "Withdrew a comment on",
} as const;

/** The audit entry has no text: entries are never removed, but a comment may be withdrawn. */
function attemptOf(of: {
  readonly action: keyof typeof WHY;
  readonly cluster: string;
  readonly about: CommentTarget;
  readonly object: Attempt["object"];
}): Attempt {
  const { action, cluster, about, object } = of;
  return {
    ...{ action, cluster, object, needs: undefined, wanted: {} },
    why: `${WHY[action]} ${about.kind === "run" ? "a run" : "an action"}`,
    ...(about.kind === "action" ? { intentId: about.id } : {}),
  };
}
