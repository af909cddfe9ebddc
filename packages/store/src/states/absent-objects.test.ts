import type { Presence } from "@cloudwright/core/model/records/presence-record";
import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { expect, test } from "vitest";
import { serviceState } from "../../testing/load-balancer-records.ts";
import { CLUSTER, objectState } from "../../testing/records.ts";
import { testLedger } from "../../testing/test-ledger.ts";

const NOW = 1_774_000_000_000;

const ledger = testLedger();

function presence(over: Partial<Presence> = {}): Presence {
  return {
    type: "presence",
    cluster: CLUSTER,
    controller: "cloud-node-controller",
    kind: "Node",
    at: NOW,
    names: ["w-1"],
    ...over,
  };
}

async function statesAfter(...records: readonly LedgerRecord[]): Promise<readonly string[]> {
  await ledger.write(...records);
  const { rows } = await ledger.db.pool.query<{
    name: string;
    state: string;
    gone_at: Date | null;
  }>("SELECT name, state, gone_at FROM all_states WHERE kind <> 'NodeRoutes' ORDER BY name");
  return rows.map(({ name, state, gone_at: goneAt }) => `${name} ${state} ${goneAt?.getTime()}`);
}

test("what a controller reported and does not find when it begins to work is gone since then", async () => {
  const before = ["w-1", "w-2"].map((name) => objectState({ name, at: NOW - 60_000 }));
  expect(await statesAfter(...before, presence())).toEqual(["w-1 ok undefined", `w-2 gone ${NOW}`]);
});

test("what it reported afterwards exists, in whatever order the records are written", async () => {
  const later = objectState({ name: "w-2", at: NOW + 1 });
  expect(await statesAfter(later, presence())).toEqual(["w-2 ok undefined"]);
});

test("an object that comes back under its name exists again", async () => {
  const before = objectState({ name: "w-2", at: NOW - 60_000 });
  const again = objectState({ name: "w-2", uid: "uid-2", at: NOW + 5_000 });
  expect(await statesAfter(before, presence(), again)).toEqual(["w-2 ok undefined"]);
});

test("objects of other kinds, controllers and clusters stay, and so do those that only dry runs have seen", async () => {
  const at = NOW - 60_000;
  const others = [
    serviceState("shop/web", { at }),
    objectState({ name: "of-routes", controller: "node-route-controller", at }),
    objectState({ name: "elsewhere", cluster: "another", at }),
    objectState({ name: "shadow", dryRun: true, at }),
  ];
  expect(await statesAfter(...others, presence({ names: [] }))).toEqual([
    "elsewhere ok undefined",
    "of-routes ok undefined",
    "shadow ok undefined",
    "shop/web ok undefined",
  ]);
});
