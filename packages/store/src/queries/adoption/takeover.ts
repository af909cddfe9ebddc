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
  TakeoverPart,
  TakeoverView,
  WaitingAdoption,
  WaitingCounts,
  WaitingRow,
} from "../../views/takeover.ts";
import { type PartialInput, partReader } from "../partial/part-reader.ts";

/** As many of each as a page shows; the rest is counted, and an export has it. */
const MOST = 500;

interface TakeoverInput extends PartialInput {
  /** How many of each are listed. */
  readonly most?: number;
}

/** Returns what of an earlier manager's resources waits for consent, what was adopted, and what is only reported. */
export async function takeoverOf(
  db: Database,
  cluster: string,
  { most = MOST, ...input }: TakeoverInput = {},
): Promise<TakeoverView> {
  const { part, naming } = partReader<TakeoverPart>(input);
  const [waiting, open, { adopted, proven, done }, reported, waits] = await Promise.all([
    waitingAdoptions(db, cluster, most),
    part("open", openAdoptions(db, cluster), new Map<string, OpenAdoption>()),
    part("adopted", allAdopted(db, cluster, most), NOTHING_ADOPTED),
    part("reported", provenRoutes(db.pool, cluster, "report"), []),
    countWaitingAdoptions(db, [cluster]),
  ]);
  return naming({
    waiting: waiting.map((one) => waitingRow(one, open)),
    adopted,
    proven: proven.slice(0, most),
    reported: reported.slice(0, most),
    counts: {
      waiting: waits.get(cluster) ?? NO_WAITING,
      adopted: done,
      proven: proven.length,
      reported: reported.length,
    },
  });
}

/** Returns the adopted resources: those adopted by any consent, and the routes that two proofs show. */
async function allAdopted({ pool }: Database, cluster: string, most: number) {
  const [adopted, proven, done] = await Promise.all([
    listAdopted(pool, cluster, most),
    provenRoutes(pool, cluster, "proofs"),
    countAdopted(pool, cluster),
  ]);
  return { adopted, proven, done };
}

const NOTHING_ADOPTED = { adopted: [], proven: [], done: { proofs: 0, consent: 0, flag: 0 } };

function waitingRow(one: WaitingAdoption, open: ReadonlyMap<string, OpenAdoption>): WaitingRow {
  return { ...one, refusal: refusalOfAdoption(one.reason), open: open.get(adoptionKey(one)) };
}

/** Selects rows that wait. A Node's first cause may be another one, so the row of its routes counts. */
export function waitsForConsent() {
  return {
    state: { not: "gone" },
    kind: { in: ["Service", "NodeRoutes"] },
    reasonCode: { in: [...codesWhere(({ offers }) => offers === "adopt")] },
  };
}

/** Returns what waits for consent, Services first, each kind by name; all of it unless `most` is given. */
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

/** Returns how many objects wait for consent. */
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

/** Returns the requested adoptions that have not ended, by `adoptionKey` of their object. */
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

/** Identifies a waiting object: a Service and a Node may have the same name. */
export function adoptionKey({ kind, name }: Pick<WaitingAdoption, "kind" | "name">): string {
  return `${kind} ${name}`;
}
