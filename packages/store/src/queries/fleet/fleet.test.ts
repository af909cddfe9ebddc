import { describe, expect, test } from "vitest";
import { flagSetting, settings } from "../../../testing/budget-records.ts";
import { heartbeat, newId, nodePart, objectState, runEnd, step } from "../../../testing/records.ts";
import { cloudRoute, nodeRoutesState, routeCell } from "../../../testing/route-records.ts";
import { useDatabase, useTestServer } from "../../../testing/suite-database.ts";
import { volumeState } from "../../../testing/volume-records.ts";
import { CAUSE_MEMBERS_MOST } from "../../views/fleet.ts";
import { findInFleet } from "./find-in-fleet.ts";
import { fleetSettings } from "./fleet-settings.ts";
import { sharedCauses } from "./shared-causes.ts";

const server = useTestServer();

const [A, B, C] = ["a", "b", "c"].map(
  (letter) => `6f3c2a10-0000-4000-8000-00000000000${letter}`,
) as [string, string, string];
const REQUEST = "req-7f3a9c10-0000-4000-8000-00000000000a";
const QUOTA = { code: "Other", name: "QuotaReached", text: "No machine is left" } as const;
const OTHER = { code: "Other", name: "NoZone", text: "It has no zone" } as const;
const NOW = Date.now();

function stuck(cluster: string, name: string, over: Parameters<typeof objectState>[0] = {}) {
  return objectState({ cluster, name, state: "stuck", reason: QUOTA, since: NOW - 1_000, ...over });
}

const RUN = runEnd({
  ...{ cluster: B, startedAt: NOW - 5_000 },
  steps: [{ ...step("cloud"), requestId: REQUEST }],
});

const RECORDS = [
  heartbeat({ cluster: A, clusterName: "prod-eu", version: "1.2.0" }),
  heartbeat({ cluster: B, clusterName: "prod-us", version: "1.2.0" }),
  heartbeat({
    cluster: B,
    clusterName: "prod-us",
    instance: "ctl-2",
    leader: false,
    version: "1.1.0",
  }),
  heartbeat({ cluster: C, clusterName: "staging", version: "1.3.0" }),
  settings({ cluster: A }),
  settings({ cluster: B, flags: [flagSetting({ value: "50", source: "flag" })] }),
  objectState({
    ...{ cluster: A, name: "node-1", uid: "uid-a" },
    node: nodePart({
      createdAt: 1_000,
      providerID: "sandbox://z1/i-4711abcd",
      address: "10.0.0.21",
    }),
  }),
  objectState({ cluster: B, name: "node-1", uid: "uid-b" }),
  volumeState("pv-data", { cluster: C }),
  nodeRoutesState("node-1", {
    cluster: B,
    uid: "uid-b",
    reported: {
      cells: [routeCell({ cidr: "10.128.7.0/24", route: cloudRoute({ id: "rt-4711" }) })],
    },
  }),
  ...Array.from({ length: CAUSE_MEMBERS_MOST + 2 }, (_, index) =>
    stuck(A, `w-${index}`, { since: NOW - 10_000 + index }),
  ),
  stuck(B, "w-b", { since: NOW - 90_000 }),
  stuck(B, "w-lone", { reason: OTHER }),
  stuck(C, "w-c"),
  RUN,
];

describe("over all clusters that may be seen", () => {
  const database = useDatabase(server, () => RECORDS);
  const find = async (text: string, access: "all" | readonly string[] = "all") => {
    const { clusters } = await findInFleet(database.db, { access, text });
    return clusters.flatMap(({ name, found }) => [
      ...found.objects.map((object) => `${name} ${object.kind} ${object.name}`),
      ...found.runs.map(({ id }) => `${name} run ${id}`),
    ]);
  };

  test.each([
    ["a name", "node-1", ["prod-eu Node node-1", "prod-us Node node-1"]],
    ["an address", "10.0.0.21", ["prod-eu Node node-1"]],
    ["a provider ID", "sandbox://z1/i-4711abcd", ["prod-eu Node node-1"]],
    ["a UID", "uid-node-none-such", []],
    ["a disk", "PV-DATA", ["staging PersistentVolume pv-data"]],
    [
      "the pod range of a route",
      "10.128.7.0/24",
      ["prod-us Node node-1", "prod-us NodeRoutes node-1"],
    ],
    ["a route's id", "rt-4711", ["prod-us Node node-1", "prod-us NodeRoutes node-1"]],
    ["a run's id", RUN.id, [`prod-us run ${RUN.id}`]],
    ["a cloud call's id", REQUEST, [`prod-us run ${RUN.id}`]],
    ["an id that nothing has", newId(), []],
    ["nothing", " ", []],
  ])("%s is found where it is", async (_, text, expected) => {
    expect(await find(text)).toEqual(expected);
  });

  test("nothing is found in a cluster that may not be seen", async () => {
    expect(await find("node-1", [A])).toEqual(["prod-eu Node node-1"]);
    expect(await find(REQUEST, [A, C])).toEqual([]);
    expect(await find("node-1", [])).toEqual([]);
    const { searched } = await findInFleet(database.db, { access: [A], text: "node-1" });
    expect(searched).toBe(1);
  });

  test("what is stuck for the same reason in several is one cause, with its oldest objects", async () => {
    const [cause, ...others] = await sharedCauses(database.db, "all");
    expect(others).toEqual([]);
    expect(cause).toMatchObject({
      ...{ kind: "stuck", code: "QuotaReached", since: NOW - 90_000 },
      count: CAUSE_MEMBERS_MOST + 4,
    });
    expect(cause?.clusters.map(({ name, count }) => [name, count])).toEqual([
      ["prod-eu", CAUSE_MEMBERS_MOST + 2],
      ["prod-us", 1],
      ["staging", 1],
    ]);
    expect(cause?.clusters[0]?.members.map(({ name }) => name)).toEqual(
      Array.from({ length: CAUSE_MEMBERS_MOST }, (_, index) => `w-${index}`),
    );
    expect(cause?.clusters[0]?.kinds).toEqual({ Node: CAUSE_MEMBERS_MOST + 2 });
  });

  test("a cause is shared only with clusters that may be seen", async () => {
    expect(await sharedCauses(database.db, [A])).toEqual([]);
    const [cause] = await sharedCauses(database.db, [A, C]);
    expect(cause?.clusters.map(({ name }) => name)).toEqual(["prod-eu", "staging"]);
  });

  test("versions and flags are compared", async () => {
    const { clusters, differing, same } = await fleetSettings(database.db, "all");
    expect(clusters).toMatchObject([
      { name: "prod-eu", versions: ["1.2.0"], process: { identity: "ctl-1", leader: true } },
      { name: "prod-us", versions: ["1.2.0", "1.1.0"] },
      { name: "staging", versions: ["1.3.0"], process: undefined },
    ]);
    expect(same).toBe(0);
    expect(differing).toMatchObject([
      {
        name: "kube-api-qps",
        values: [
          { value: "500", clusters: [A] },
          { value: "50", clusters: [B] },
        ],
      },
    ]);
  });

  test("only those that may be seen are compared", async () => {
    const { clusters, differing } = await fleetSettings(database.db, [B]);
    expect(clusters.map(({ name }) => name)).toEqual(["prod-us"]);
    expect(differing).toEqual([]);
  });
});
