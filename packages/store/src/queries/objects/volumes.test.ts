import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { expect, test } from "vitest";
import { useClusterDatabase } from "../../../testing/cluster-database.ts";
import { CLUSTER, newId } from "../../../testing/records.ts";
import { volumeState } from "../../../testing/volume-records.ts";
import { writeRecords } from "../../../testing/write-records.ts";
import { requestIntent } from "../../intents/request-intent.ts";
import type { VolumeSort, VolumesFilter } from "../../views/volumes.ts";
import { clusterById } from "../overview/clusters.ts";
import { listVolumes, volumeDetail } from "./object-view.ts";

const database = useClusterDatabase();

function write(...records: readonly LedgerRecord[]): Promise<void> {
  return writeRecords(String(database.db.pool.options.connectionString), records);
}

async function found(filter: VolumesFilter = {}, by: VolumeSort = "name") {
  const sort = { by, descending: false };
  const { rows } = await listVolumes(database.db, { cluster: CLUSTER, filter, sort, limit: 50 });
  return rows.map(({ name }) => name);
}

const moved = { wanted: { zone: "zone-b", region: "region-1" }, has: { zone: "zone-a" } };

test("volumes are listed with what their labels say and should say", async () => {
  await write(volumeState("pv-1", { drift: "drifted", reported: { labels: moved } }));
  const page = await listVolumes(database.db, {
    ...{ cluster: CLUSTER, filter: {}, limit: 50 },
    sort: { by: "state", descending: false },
  });
  expect(page.rows).toMatchObject([
    {
      name: "pv-1",
      controller: "volume-label-controller",
      drift: "drifted",
      detail: { volumeId: "vol-pv-1", labels: moved },
    },
  ]);
  expect(page.counts).toMatchObject({ states: { ok: 1 }, drifted: 1 });
  expect((await clusterById(database.db, CLUSTER)).volumes).toEqual(page.counts);
});

test("volumes are filtered and sorted", async () => {
  await write(
    volumeState("pv-1", { state: "stuck", reason: { code: "VolumeAffinityConflict", ...PLACES } }),
    volumeState("pv-2", { drift: "drifted", reported: { labels: moved, claim: "bank/ledger" } }),
    volumeState("pv-3", { state: "gone" }),
  );
  expect(await found()).toEqual(["pv-1", "pv-2"]);
  expect(await found({ states: ["gone"] })).toEqual(["pv-3"]);
  expect(await found({ drift: "drifted" })).toEqual(["pv-2"]);
  expect(await found({ reason: "VolumeAffinityConflict" })).toEqual(["pv-1"]);
  for (const text of ["BANK", "vol-pv-2", "zone-b"]) {
    expect(await found({ text }), text).toEqual(["pv-2"]);
  }
  expect(await found({}, "zone")).toEqual(["pv-1", "pv-2"]);
  expect(await found({}, "state")).toEqual(["pv-1", "pv-2"]);
});

const PLACES = { has: "zone-a", wanted: "zone-b" } as const;

test("one volume comes with what has been asked for it, and an unknown one is not found", async () => {
  await write(volumeState("pv-1"));
  const { db } = database;
  const intent = await requestIntent(
    { db, actor: { id: "u-1", name: "ana", role: "operator" } },
    {
      ...{ id: newId(), cluster: CLUSTER, kind: "retry", controller: "volume-label-controller" },
      object: { kind: "PersistentVolume", name: "pv-1", uid: "uid-pv-1" },
      why: "INC-9",
    },
  );
  expect(await volumeDetail(db, { cluster: CLUSTER, name: "pv-1" })).toMatchObject({
    row: { name: "pv-1", detail: { storageClass: "fast" } },
    openIntents: [{ id: intent.id }],
  });
  await expect(volumeDetail(db, { cluster: CLUSTER, name: "pv-9" })).rejects.toMatchObject({
    code: "NotFound",
  });
});
