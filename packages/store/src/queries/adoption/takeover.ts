import { INTENT_STATES, intentStateSchema, isFinal } from "@cloudwright/core/model/actions/intent";
import { objectName } from "@cloudwright/core/model/object-ref";
import { codesWhere, reasonSchema } from "@cloudwright/core/model/reason";
import {
  isAdoptionReason,
  refusalOfAdoption,
} from "@cloudwright/core/model/reasons/adoption-refusal";
import type { Database } from "../../database/database.ts";
import { countAdopted, listAdopted, provenRoutes } from "../../sql/objects/adoptions.ts";
import type {
  OpenAdoption,
  TakeoverView,
  WaitingAdoption,
  WaitingCounts,
  WaitingRow,
} from "../../views/takeover.ts";

/** As many of each as a page shows; what there is more is counted, and a file has it. */
const MOST = 500;

/** What of an earlier manager's waits for consent, what was adopted, and what is only reported. */
export async function takeoverOf(
  db: Database,
  cluster: string,
  most: number = MOST,
): Promise<TakeoverView> {
  const [waiting, adopted, proven, reported, waits, done] = await Promise.all([
    waitingRows(db, cluster, most),
    listAdopted(db.pool, cluster, most),
    provenRoutes(db.pool, cluster, "proofs"),
    provenRoutes(db.pool, cluster, "report"),
    countWaitingAdoptions(db, [cluster]),
    countAdopted(db.pool, cluster),
  ]);
  return {
    ...{ waiting, adopted },
    proven: proven.slice(0, most),
    reported: reported.slice(0, most),
    counts: {
      waiting: waits.get(cluster) ?? NO_WAITING,
      adopted: done,
      proven: proven.length,
      reported: reported.length,
    },
  };
}

async function waitingRows(
  db: Database,
  cluster: string,
  most: number,
): Promise<readonly WaitingRow[]> {
  const [waiting, open] = await Promise.all([
    waitingAdoptions(db, cluster, most),
    openAdoptions(db, cluster),
  ]);
  return waiting.map((one) => ({
    ...one,
    refusal: refusalOfAdoption(one.reason),
    open: open.get(adoptionKey(one)),
  }));
}

/** Rows that wait. Of a Node another cause may come first, so the row of its routes counts. */
export function waitsForConsent() {
  return {
    state: { not: "gone" },
    kind: { in: ["Service", "NodeRoutes"] },
    reasonCode: { in: [...codesWhere(({ offers }) => offers === "adopt")] },
  };
}

/** What waits for consent, Services first, each kind by name; all of it unless `most` is given. */
export async function waitingAdoptions(
  { prisma }: Pick<Database, "prisma">,
  cluster: string,
  most?: number,
): Promise<readonly WaitingAdoption[]> {
  const rows = await prisma.anyState.findMany({
    where: { clusterId: cluster, ...waitsForConsent() },
    select: { kind: true, name: true, uid: true, reason: true, since: true },
    orderBy: [{ kind: "desc" }, { nameKey: "asc" }, { name: "asc" }],
    ...(most === undefined ? {} : { take: most }),
  });
  return rows.flatMap((row) => {
    const reason = reasonSchema.safeParse(row.reason).data;
    if (reason === undefined || !isAdoptionReason(reason)) return [];
    const { name, uid, since } = row;
    const kind = row.kind === "Service" ? "Service" : "Node";
    return [{ kind, name, uid, reason, since: since.getTime() }];
  });
}

/** How many objects wait for consent. */
export async function countWaitingAdoptions(
  { prisma }: Pick<Database, "prisma">,
  clusters: readonly string[],
): Promise<ReadonlyMap<string, WaitingCounts>> {
  const rows = await prisma.anyState.groupBy({
    by: ["clusterId", "kind"],
    where: { clusterId: { in: [...clusters] }, ...waitsForConsent() },
    _count: true,
  });
  const counts = new Map<string, WaitingCounts>();
  for (const { clusterId, kind, _count } of rows) {
    const counted = kind === "Service" ? { balancers: _count } : { routes: _count };
    counts.set(clusterId, { ...(counts.get(clusterId) ?? NO_WAITING), ...counted });
  }
  return counts;
}

export const NO_WAITING: WaitingCounts = { balancers: 0, routes: 0 };

const OPEN = INTENT_STATES.filter((state) => !isFinal(state));

/** Adoptions that are requested and have not ended, by `adoptionKey` of their object. */
export async function openAdoptions(
  { prisma }: Pick<Database, "prisma">,
  cluster: string,
): Promise<ReadonlyMap<string, OpenAdoption>> {
  const rows = await prisma.intent.findMany({
    where: {
      ...{ clusterId: cluster, kind: "adopt", state: { in: [...OPEN] } },
      expiresAt: { gt: new Date() },
    },
    orderBy: { requestedAt: "asc" },
  });
  return new Map(
    rows.map(({ objectKind, objectNamespace, objectName: name, id, actorName, state }) => [
      `${objectKind} ${objectName({ kind: objectKind, name, namespace: objectNamespace ?? undefined })}`,
      { id, actor: actorName, state: intentStateSchema.parse(state) },
    ]),
  );
}

/** Identifies an object that waits: a Service and a Node may have one name. */
export function adoptionKey({ kind, name }: Pick<WaitingAdoption, "kind" | "name">): string {
  return `${kind} ${name}`;
}
