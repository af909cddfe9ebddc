import { refusalOfAdoption } from "@cloudwright/core/model/adoption-refusal";
import type { Database } from "../../database/database.ts";
import { countAdopted, listAdopted, provenRoutes } from "../../sql/adoptions.ts";
import type { TakeoverView, WaitingRow } from "../../views/takeover.ts";
import {
  adoptionKey,
  countWaitingAdoptions,
  openAdoptions,
  waitingAdoptions,
} from "./waiting-adoptions.ts";

/** As many of each as a page shows; what there is more is counted. */
const MOST = 500;

/** What of an earlier manager's waits for consent, what was adopted, and what is only reported. */
export async function takeoverOf(db: Database, cluster: string): Promise<TakeoverView> {
  const [waiting, adopted, proven, reported, waits, done] = await Promise.all([
    waitingRows(db, cluster),
    listAdopted(db.pool, cluster, MOST),
    provenRoutes(db.pool, cluster, "proofs"),
    provenRoutes(db.pool, cluster, "report"),
    countWaitingAdoptions(db, cluster),
    countAdopted(db.pool, cluster),
  ]);
  return {
    ...{ waiting, adopted },
    proven: proven.slice(0, MOST),
    reported: reported.slice(0, MOST),
    counts: { waiting: waits, adopted: done, proven: proven.length, reported: reported.length },
  };
}

async function waitingRows(db: Database, cluster: string): Promise<readonly WaitingRow[]> {
  const [waiting, open] = await Promise.all([
    waitingAdoptions(db, cluster, MOST),
    openAdoptions(db, cluster),
  ]);
  return waiting.map((one) => ({
    ...one,
    refusal: refusalOfAdoption(one.reason),
    open: open.get(adoptionKey(one)),
  }));
}
