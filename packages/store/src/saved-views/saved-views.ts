import { randomUUID } from "node:crypto";
import { t } from "@cloudwright/core/model/language/text";
import type { Json } from "@cloudwright/core/model/values/json";
import { sameJson } from "@cloudwright/core/model/values/json";
import { z } from "zod";
import type { Prisma, SavedView as StoredView } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import { type Attempt, carryOut, type Done, type VerbContext } from "../operations/verb.ts";
import { lockUntilEnd } from "../sql/intents.ts";
import { orUndefined } from "../sql/stored-json.ts";
import { storableText } from "../text/storable-text.ts";
import { isRestricted, mayReach, unknownCluster } from "../users/cluster-access.ts";
import { whySchema } from "../users/user.ts";
import {
  SAVED_PAGES,
  SAVED_VIEWS_MOST,
  type SavedView,
  VIEW_NAME_MOST,
} from "../views/saved-views.ts";

/** Parameters of an address that no view keeps: the object shown beside the list. */
const OF_A_MOMENT = ["peek"];
const SEARCH_MOST = 2_000;

const nameSchema = storableText(200)
  .trim()
  .min(1, "Give the view a name.")
  .max(VIEW_NAME_MOST, `A view's name has at most ${VIEW_NAME_MOST} characters.`)
  .regex(/^\P{Cc}*$/u, "A view's name is one line of text.");

/** An id of a column or a table in the dashboard's own code. */
const idSchema = z.string().regex(/^[a-z][a-zA-Z0-9-]{0,39}$/);

const listSchema = z.object({
  page: z.enum(SAVED_PAGES),
  search: storableText(SEARCH_MOST),
  columns: z
    .object({ table: idSchema, hidden: z.array(idSchema).max(40).readonly() })
    .readonly()
    .optional(),
});

export const saveViewSchema = z.object({
  name: nameSchema,
  shared: z.boolean(),
  /** Absent for a view of all clusters. */
  cluster: storableText(200).min(1).optional(),
  list: listSchema,
  why: whySchema,
});
export type SaveViewInput = z.infer<typeof saveViewSchema>;

/** Saves a list under a name. Throws OperationError NotFound for an unknown cluster, Conflict and Limit. */
export function saveView(
  context: VerbContext,
  { name, shared, cluster, list, why = "Saved" }: SaveViewInput,
): Promise<{ readonly id: string }> {
  const id = randomUUID();
  const kept = { name, shared, clusterId: cluster ?? null, ...columnsOf(list) };
  const attempt = { ...attemptOf("account.view-save", { id, ...kept }, why), wanted: {} } as const;
  return carryOut(context, { ...attempt, needs: undefined }, async (tx) => {
    if (cluster !== undefined) await requireCluster(tx, cluster);
    const ownerId = context.actor.id;
    await lockUntilEnd(tx, `views of ${ownerId}`);
    await requireRoom(tx, ownerId);
    await requireNewName(tx, { ownerId, name });
    const at = new Date();
    await tx.savedView.create({ data: { id, ownerId, ...kept, createdAt: at, updatedAt: at } });
    return { result: { id }, audit: { before: null, after: recordOf(kept) } };
  });
}

async function requireCluster(tx: Prisma.TransactionClient, id: string): Promise<void> {
  if ((await tx.cluster.count({ where: { id } })) === 1) return;
  throw new OperationError("NotFound", unknownCluster);
}

async function requireRoom(tx: Prisma.TransactionClient, ownerId: string): Promise<void> {
  if ((await tx.savedView.count({ where: { ownerId } })) < SAVED_VIEWS_MOST) return;
  throw new OperationError(
    "Limit",
    () => t`You have ${SAVED_VIEWS_MOST} views already: remove one that is not needed.`,
  );
}

async function requireNewName(
  tx: Prisma.TransactionClient,
  where: { readonly ownerId: string; readonly name: string },
): Promise<void> {
  if ((await tx.savedView.count({ where })) === 0) return;
  throw new OperationError(
    "Conflict",
    () => t`There is a view called ${where.name} already: replace it, or choose another name.`,
  );
}

export const changeViewSchema = z.object({
  id: z.uuid(),
  /** Absent members stay unchanged. */
  name: nameSchema.optional(),
  shared: z.boolean().optional(),
  list: listSchema.optional(),
  why: whySchema,
});
export type ChangeViewInput = z.infer<typeof changeViewSchema>;

/** Renames, shares or replaces a view. Throws OperationError Forbidden, NotFound and Conflict. */
export function changeView(
  context: VerbContext,
  { id, name, shared, list, why = "Changed" }: ChangeViewInput,
): Promise<void> {
  const change = { id, action: "account.view-change", why } as const;
  return changeVisible(context, change, async (tx, view) => {
    const before = keptOf(view);
    const after = {
      ...before,
      ...(name === undefined ? {} : { name }),
      ...(shared === undefined ? {} : { shared }),
      ...(list === undefined ? {} : columnsOf(list)),
    };
    if (sameJson(before, after)) return { result: undefined };
    if (after.name !== view.name) {
      await lockUntilEnd(tx, `views of ${view.ownerId}`);
      await requireNewName(tx, { ownerId: view.ownerId, name: after.name });
    }
    await tx.savedView.update({ where: { id }, data: { ...after, updatedAt: new Date() } });
    return { result: undefined, audit: { before: recordOf(before), after: recordOf(after) } };
  });
}

export const removeViewSchema = z.object({ id: z.uuid(), why: whySchema });
export type RemoveViewInput = z.infer<typeof removeViewSchema>;

/** Deletes a view. Throws OperationError Forbidden and NotFound. */
export function removeView(
  context: VerbContext,
  { id, why = "Removed" }: RemoveViewInput,
): Promise<void> {
  const change = { id, action: "account.view-remove", why } as const;
  return changeVisible(context, change, async (tx, view) => {
    await tx.savedView.delete({ where: { id } });
    return { result: undefined, audit: { before: recordOf(keptOf(view)), after: null } };
  });
}

/** Changes a view of the actor's own, or as an admin a shared one, and locks it meanwhile. */
async function changeVisible(
  context: VerbContext,
  { id, action, why }: Pick<Attempt, "action" | "why"> & { readonly id: string },
  change: (tx: Prisma.TransactionClient, view: StoredView) => Promise<Done<void>>,
): Promise<void> {
  const where = { AND: [{ id }, visibleTo(context)] };
  const seen = await context.db.prisma.savedView.findFirst({ where });
  const attempt = {
    ...attemptOf(action, seen ?? { id, name: "", shared: false, clusterId: null }, why),
    needs: seen === null || seen.ownerId === context.actor.id ? undefined : "admin",
    wanted: {},
  } as const;
  return carryOut(context, attempt, async (tx) => {
    await lockUntilEnd(tx, `view ${id}`);
    const view = await tx.savedView.findFirst({ where });
    if (view === null) {
      throw new OperationError("NotFound", () => t`This view no longer exists.`);
    }
    return change(tx, view);
  });
}

type Reader = Pick<VerbContext, "db" | "actor">;

/** Selects the user's own and shared views, of the clusters that the user may see. */
function visibleTo({ actor }: Pick<Reader, "actor">): Prisma.SavedViewWhereInput {
  const access = actor.clusters ?? "all";
  const ofClusters =
    access === "all" ? {} : { OR: [{ clusterId: null }, { clusterId: { in: [...access] } }] };
  return { AND: [{ OR: [{ ownerId: actor.id }, { shared: true }] }, ofClusters] };
}

/** Lists the user's own views and the shared ones, by name. */
export async function listViews(reader: Reader): Promise<readonly SavedView[]> {
  const rows = await reader.db.prisma.savedView.findMany({
    where: visibleTo(reader),
    include: { owner: { select: { name: true } } },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
  return rows.flatMap(({ owner, ...row }) => {
    const view = savedView(row, reader);
    return view === undefined ? [] : [{ ...view, owner: owner.name }];
  });
}

/** Returns undefined for a view of a page that only another release has. */
function savedView(row: StoredView, { actor }: Reader): Omit<SavedView, "owner"> | undefined {
  const page = SAVED_PAGES.find((each) => each === row.page);
  if (page === undefined) return undefined;
  const isOwn = row.ownerId === actor.id;
  const keeps =
    actor.role === "admin" &&
    (row.clusterId === null
      ? !isRestricted(actor.clusters)
      : mayReach(actor.clusters, row.clusterId));
  const table = row.listTable;
  return {
    ...{ id: row.id, name: row.name, cluster: orUndefined(row.clusterId) },
    ...{ page, search: row.search },
    columns: table === null ? undefined : { table, hidden: row.hiddenColumns },
    ...{ isShared: row.shared, isOwn, mayChange: isOwn || keeps },
  };
}

type Kept = Pick<
  StoredView,
  "name" | "shared" | "clusterId" | "page" | "search" | "listTable" | "hiddenColumns"
>;

function keptOf(view: StoredView): Kept {
  const { name, shared, clusterId, page, search, listTable, hiddenColumns } = view;
  return { name, shared, clusterId, page, search, listTable, hiddenColumns };
}

function columnsOf({ page, search, columns }: z.infer<typeof listSchema>) {
  return {
    ...{ page, search: keptSearch(search), listTable: columns?.table ?? null },
    hiddenColumns: [...new Set(columns?.hidden ?? [])].toSorted((left, right) =>
      left.localeCompare(right),
    ),
  };
}

function keptSearch(search: string): string {
  return search
    .replace(/^\?/, "")
    .split("&")
    .filter((each) => each !== "" && !OF_A_MOMENT.includes(each.split("=")[0] ?? ""))
    .join("&");
}

/** Returns the view's audit fields. Other users read the audit, so a private view's name and filter are left out. */
function recordOf({ name, shared, page, search }: Kept): { readonly [member: string]: Json } {
  return shared ? { shared, name, page, search } : { shared, page };
}

function attemptOf(
  action: Attempt["action"],
  view: Pick<StoredView, "id" | "name" | "shared" | "clusterId">,
  why: string,
): Pick<Attempt, "action" | "why" | "object" | "cluster"> {
  const name = view.shared ? view.name : "private view";
  const object = { kind: "View", name, uid: view.id };
  const { clusterId } = view;
  return { action, why, object, ...(clusterId === null ? {} : { cluster: clusterId }) };
}
