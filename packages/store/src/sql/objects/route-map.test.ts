import { describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../../testing/cluster-database.ts";
import { CLUSTER, objectState } from "../../../testing/records.ts";
import {
  cloudRoute,
  missingCell,
  nodeRoutesState,
  routeCell,
} from "../../../testing/route-records.ts";
import { writeRecords } from "../../../testing/write-records.ts";
import { routeMapOf } from "../../views/route-map.ts";
import { routeMap } from "./route-map.ts";

const database = useClusterDatabase();

const write = (...records: Parameters<typeof writeRecords>[1]) =>
  writeRecords(String(database.db.pool.options.connectionString), records);
const read = async (cluster = CLUSTER) => routeMapOf(await routeMap(database.db, { cluster }));

describe("the map of the route tables", () => {
  test("has every node in the order of names, each cell with the table that its route is in", async () => {
    const other = cloudRoute({ id: "r-7", table: "rtb-b", destination: "fd00:2::/64" });
    await write(
      nodeRoutesState("w-10"),
      nodeRoutesState("w-2", {
        reported: {
          cells: [
            routeCell({ cidr: "10.244.2.0/24" }),
            routeCell({ cidr: "fd00:2::/64", family: "IPv6", verdict: "update", route: other }),
          ],
        },
      }),
    );
    expect(await read()).toEqual({
      isCut: false,
      nodes: [
        {
          name: "w-2",
          cells: [
            { cidr: "10.244.2.0/24", verdict: "keep", table: "rtb-a" },
            { cidr: "fd00:2::/64", verdict: "update", table: "rtb-b" },
          ],
        },
        { name: "w-10", cells: [{ cidr: "10.244.1.0/24", verdict: "keep", table: "rtb-a" }] },
      ],
    });
  });

  test("has all ranges of a node that has more than one of each family", async () => {
    const cidrs = [1, 2, 3, 4].map((number) => `10.244.${number}.0/24`);
    await write(
      nodeRoutesState("w-1", {
        reported: { cells: cidrs.map((cidr) => routeCell({ cidr, route: cloudRoute() })) },
      }),
    );
    const [node] = (await read()).nodes;
    expect(node?.cells.map(({ cidr }) => cidr)).toEqual(cidrs);
  });

  test("puts a range without a route into the table of the node's others, if it has any", async () => {
    await write(
      nodeRoutesState("w-1", { reported: { cells: [routeCell(), missingCell("fd00:1::/64")] } }),
      nodeRoutesState("w-2", { reported: { cells: [missingCell("10.244.2.0/24")] } }),
      nodeRoutesState("w-3", { reported: { cells: [] } }),
    );
    const { nodes } = await read();
    expect(nodes.map(({ cells }) => cells)).toEqual([
      [
        { cidr: "10.244.1.0/24", verdict: "keep", table: "rtb-a" },
        { cidr: "fd00:1::/64", verdict: "missing", table: "rtb-a" },
      ],
      [{ cidr: "10.244.2.0/24", verdict: "missing" }],
      [],
    ]);
  });

  test("leaves out what is gone, and what is of another cluster", async () => {
    await write(
      nodeRoutesState("w-1"),
      objectState({
        ...{ controller: "cloud-node-lifecycle-controller", name: "w-1", state: "gone" },
        reason: { code: "ObjectGone" },
      }),
      nodeRoutesState("w-2"),
    );
    expect((await read()).nodes.map(({ name }) => name)).toEqual(["w-2"]);
    expect(await read("another")).toEqual({ nodes: [], isCut: false });
  });
});
