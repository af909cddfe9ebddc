import type { Intent, IntentState, ListedIntent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import type { Database } from "../database/database.ts";
import type { Intent as StoredIntent } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import { literally } from "../sql/lists/conditions.ts";
import { decodeCursor, encodeCursor, isUuid } from "../sql/lists/cursor.ts";
import { EXACT_TOTAL_MOST, LIMIT_MOST, limitOf, totalOf } from "../sql/lists/list.ts";
import type { ListInput, Page } from "../views/views.ts";
import { listedIntent, parseIntent } from "./stored-intent.ts";

export interface IntentsFilter {
  /** Only those that have not ended. */
  readonly open?: boolean | undefined;
  /** Without previews. */
  readonly acting?: boolean | undefined;
  readonly object?: Pick<ObjectRef, "kind" | "namespace" | "name"> | undefined;
  /** Only those of this batch. */
  readonly batch?: string | undefined;
  /** The kinds of action, such as `hold`. */
  readonly verbs?: readonly string[] | undefined;
  /** Their states. */
  readonly actionStates?: readonly IntentState[] | undefined;
  /** Part of the object's name, the requester's name, the reason, or the result. */
  readonly text?: string | undefined;
}

export type IntentSort = "requested";

const OPEN = ["awaiting-approval", "requested", "claimed", "running"];
const ACTING = { kind: { not: "preview" } };

/** Returns an intent. Throws OperationError NotFound when the cluster does not have it. */
export async function intentById(
  db: Database,
  input: { readonly cluster: string; readonly id: string },
): Promise<ListedIntent> {
  const row = isUuid(input.id)
    ? await db.prisma.intent.findFirst({ where: { id: input.id, clusterId: input.cluster } })
    : null;
  if (row === null) throw new OperationError("NotFound", () => t`No such action in this cluster.`);
  return listedIntent(row);
}

/** Returns the intents of these ids that the cluster has, in no particular order. */
export async function intentsByIds(
  db: Database,
  { cluster, ids }: { readonly cluster: string; readonly ids: readonly string[] },
): Promise<readonly ListedIntent[]> {
  const rows = await db.prisma.intent.findMany({
    where: { id: { in: [...ids] }, clusterId: cluster },
  });
  return rows.map(listedIntent);
}

/** Lists intents by the time of their request. Throws OperationError Invalid for a bad limit or cursor. */
export async function listIntents(
  db: Database,
  input: ListInput<IntentsFilter, IntentSort>,
): Promise<Page<ListedIntent>> {
  const limit = limitOf(input);
  const [page, counted] = await Promise.all([
    readIntents(db, { ...input, limit }),
    db.prisma.intent.count({ where: whereOf(input), take: EXACT_TOTAL_MOST + 1 }),
  ]);
  return { ...page, total: totalOf(counted) };
}

/** Yields all intents of a filter in pages, each read on demand. */
export async function* intentPages(
  db: Database,
  input: Omit<ListInput<IntentsFilter, IntentSort>, "cursor" | "limit">,
): AsyncGenerator<readonly ListedIntent[]> {
  let cursor: string | undefined;
  do {
    const page = await readIntents(db, { ...input, cursor, limit: LIMIT_MOST });
    yield page.rows;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

async function readIntents(
  db: Database,
  input: ListInput<IntentsFilter, IntentSort>,
): Promise<Pick<Page<ListedIntent>, "rows" | "nextCursor">> {
  const { cluster, filter, sort, limit } = input;
  const binding = { list: "intents", cluster, filter, sort };
  const direction = sort.descending ? "desc" : "asc";
  const rows = await db.prisma.intent.findMany({
    where: { AND: [whereOf(input), after(input, binding)] },
    orderBy: [{ requestedAt: direction }, { id: direction }],
    take: limit + 1,
  });
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    rows: rows.slice(0, limit).map(listedIntent),
    nextCursor:
      last === undefined ? undefined : encodeCursor(binding, [last.requestedAt.getTime(), last.id]),
  };
}

function whereOf({ cluster, filter }: Pick<ListInput<IntentsFilter, never>, "cluster" | "filter">) {
  return {
    clusterId: cluster,
    ...(filter.open === true ? { state: { in: OPEN } } : {}),
    ...(filter.acting === true ? ACTING : {}),
    ...(filter.object === undefined ? {} : objectWhere(filter.object)),
    ...(filter.batch === undefined ? {} : { batchId: filter.batch }),
    AND: [
      filter.verbs === undefined ? {} : { kind: { in: [...filter.verbs] } },
      filter.actionStates === undefined ? {} : { state: { in: [...filter.actionStates] } },
      filter.text === undefined ? {} : textWhere(filter.text),
    ],
  };
}

/** `shop/web` means one object with its namespace; any other text may occur anywhere. Prisma passes a pattern on unescaped. */
function textWhere(text: string) {
  const [namespace, name] = text.split("/").map(literally);
  const part = { contains: literally(text), mode: "insensitive" } as const;
  const named =
    namespace === undefined || name === undefined
      ? []
      : [
          {
            objectNamespace: { endsWith: namespace, mode: "insensitive" } as const,
            objectName: { startsWith: name, mode: "insensitive" } as const,
          },
        ];
  return {
    OR: [{ objectName: part }, { actorName: part }, { why: part }, { result: part }, ...named],
  };
}

/** Returns the open intents that act on one object, oldest first. */
export async function openIntentsOf(
  db: Database,
  input: { readonly cluster: string } & ObjectKey,
): Promise<readonly ListedIntent[]> {
  return openIntentsWhere(db, { clusterId: input.cluster, ...objectWhere(input) });
}

/** Returns the open intents that act on any object of a kind, oldest first. */
export async function openIntentsOfKind(
  db: Database,
  { cluster, kind }: { readonly cluster: string; readonly kind: string },
): Promise<readonly ListedIntent[]> {
  return openIntentsWhere(db, { clusterId: cluster, objectKind: kind });
}

/** The size of a batch: nobody reads more above a page, and the list of actions has them all. */
const WAITING_MOST = 100;

/** Returns the actions that wait for approval on a cluster and have not expired, oldest first. */
export async function waitingIntents(db: Database, cluster: string): Promise<readonly Intent[]> {
  return (await waitingRows(db, { cluster })).flatMap((row) => parseIntent(row) ?? []);
}

/**
 * Returns the same as stored rows, optionally of one batch. When there are more than the limit, the last row's batch is complete, as it is
 * shown as one.
 */
export async function waitingRows(
  db: Database,
  { cluster, batch }: { readonly cluster: string; readonly batch?: string | undefined },
): Promise<readonly StoredIntent[]> {
  const waiting = { clusterId: cluster, state: "awaiting-approval", expiresAt: { gt: new Date() } };
  const find = (of: object, take: number) =>
    db.prisma.intent.findMany({
      where: { ...waiting, ...of },
      orderBy: [{ requestedAt: "asc" }, { id: "asc" }],
      take,
    });
  if (batch !== undefined) return isUuid(batch) ? find({ batchId: batch }, WAITING_MOST) : [];
  const rows = await find({}, WAITING_MOST);
  const last = rows.at(-1)?.batchId ?? null;
  if (rows.length < WAITING_MOST || last === null) return rows;
  const shown = rows.flatMap(({ id, batchId }) => (batchId === last ? [id] : []));
  return [...rows, ...(await find({ batchId: last, id: { notIn: shown } }, WAITING_MOST))];
}

/** Selects, from the intents of a kind, those about the object of this name. */
export function intentsAbout(
  intents: readonly ListedIntent[],
  name: string,
): readonly ListedIntent[] {
  return intents.filter(({ object }) => object.name === name);
}

interface ObjectKey {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

function objectWhere({ kind, namespace, name }: ObjectKey) {
  return { objectKind: kind, objectNamespace: namespace ?? null, objectName: name };
}

async function openIntentsWhere(
  db: Database,
  where: { readonly clusterId: string; readonly objectKind: string },
): Promise<readonly ListedIntent[]> {
  const rows = await db.prisma.intent.findMany({
    where: { ...where, state: { in: OPEN }, ...ACTING },
    orderBy: { requestedAt: "asc" },
    take: 50,
  });
  return rows.map(listedIntent);
}

export async function countOpenIntents(
  db: Database,
  clusters: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.prisma.intent.groupBy({
    by: ["clusterId"],
    where: { clusterId: { in: [...clusters] }, state: { in: OPEN }, ...ACTING },
    _count: true,
  });
  return new Map(rows.map(({ clusterId, _count }) => [clusterId, _count]));
}

function after(
  input: ListInput<IntentsFilter, IntentSort>,
  binding: Parameters<typeof decodeCursor>[1],
) {
  if (input.cursor === undefined) return {};
  const [at, id] = decodeCursor(input.cursor, binding, ["timestamp", "uuid"]);
  const requestedAt = new Date(Number(at));
  const beyond = input.sort.descending ? "lt" : "gt";
  return {
    OR: [{ requestedAt: { [beyond]: requestedAt } }, { requestedAt, id: { [beyond]: String(id) } }],
  };
}
