import { strict as assert } from "node:assert";
import { mutations } from "../contexts-of-bench.ts";
import { failureOf } from "../failure-of.ts";
import {
  create,
  list,
  listed,
  markOf,
  OTHER_CLUSTER,
  type RouteBenchCase,
  type RoutesBench,
  remove,
  serve,
  wishFor,
} from "./bench.ts";
import type { PlantedRoute } from "./fixture.ts";

/** More than two pages of the clouds that we know. */
const MORE_THAN_PAGES = 1_100;

/** Whose a route is: what is not ours is listed and never touched. */
export const routeOwnerCases: readonly RouteBenchCase[] = [
  {
    name: "marks what it makes with cluster and Node",
    ofMarks: true,
    check: async (bench) => {
      const { route } = await serve(bench, "w-1");
      const { clusterUid, objectUid } = markOf("w-1");
      const [seen] = await bench.fixture.table();
      for (const mark of [route.mark, (await listed(bench, route.id)).mark, seen?.mark]) {
        assert.equal(mark?.clusterUid, clusterUid);
        assert.equal(mark?.objectUid, objectUid);
      }
    },
  },
  {
    name: "lists routes without a mark and another cluster's, and tells them apart",
    ofMarks: true,
    needs: ["plant"],
    check: async (bench) => {
      const { route, providerID } = await serve(bench, "w-1");
      const mark = markOf("w-7", OTHER_CLUSTER);
      const nobodys = await plant(bench, { destination: "10.120.8.0/24", providerID });
      const theirs = await plant(bench, { destination: "10.120.7.0/24", providerID, mark });
      assert.equal((await list(bench)).length, 3);
      assert.equal((await listed(bench, route.id)).mark?.clusterUid, markOf("w-1").clusterUid);
      assert.equal((await listed(bench, nobodys)).mark, undefined);
      const { mark: told } = await listed(bench, theirs);
      assert.equal(told?.clusterUid, OTHER_CLUSTER);
      assert.equal(told?.objectUid, mark.objectUid);
    },
  },
  {
    name: "calls a destination that another has a Conflict, and leaves that one alone",
    needs: ["plant"],
    check: async (bench) => {
      const stranger = await bench.fixture.createMachine("x-1");
      const providerID = await bench.fixture.createMachine("w-1");
      const destination = "10.120.1.0/24";
      await plant(bench, { destination, providerID: stranger });
      const before = await bench.fixture.table();
      const error = await failureOf(create(bench, wishFor("w-1", { providerID, destination })));
      assert.equal(error.code, "Conflict");
      assert.deepEqual(await bench.fixture.table(), before);
    },
  },
  {
    name: "does not take another Node's or cluster's route to its machine for its own",
    ofMarks: true,
    needs: ["plant"],
    check: async (bench) => {
      const providerID = await bench.fixture.createMachine("w-1");
      const wish = wishFor("w-1", { providerID });
      for (const mark of [markOf("w-2"), markOf("w-1", OTHER_CLUSTER)]) {
        const id = await plant(bench, { destination: wish.destination, providerID, mark });
        assert.equal((await failureOf(create(bench, wish))).code, "Conflict");
        await remove(bench, await listed(bench, id));
      }
      await create(bench, wish);
    },
  },
  {
    name: "keeps two clusters on one table apart",
    ofMarks: true,
    check: async (bench) => {
      const ours = await serve(bench, "w-1");
      const theirs = await serve(bench, "w-2", { clusterUid: OTHER_CLUSTER });
      const wish = wishFor("w-2", { providerID: theirs.providerID });
      assert.equal((await failureOf(create(bench, wish))).code, "Conflict");
      await remove(bench, ours.route);
      assert.deepEqual(
        (await bench.fixture.table()).map(({ id, mark }) => [id, mark?.clusterUid]),
        [[theirs.route.id, OTHER_CLUSTER]],
      );
    },
  },
  {
    name: "writes nothing when it lists",
    needs: ["plant"],
    check: async (bench) => {
      const { providerID } = await serve(bench, "w-1");
      await plant(bench, { destination: "10.120.9.0/24", providerID });
      await plant(bench, { destination: "10.120.10.0/24", providerID: undefined });
      const before = { seen: await bench.fixture.table(), writes: mutations(bench) };
      await list(bench);
      assert.deepEqual(await bench.fixture.table(), before.seen);
      assert.equal(mutations(bench), before.writes);
    },
  },
  {
    name: "lists a route that leads nowhere without a target, and can remove it",
    needs: ["plant"],
    check: async (bench) => {
      const id = await plant(bench, { destination: "10.120.9.0/24", providerID: undefined });
      const route = await listed(bench, id);
      assert.equal(route.target.providerID, undefined);
      assert.equal(route.target.nodeName, undefined);
      await remove(bench, route);
      assert.deepEqual(await bench.fixture.table(), []);
    },
  },
  {
    name: "knows its own route in whatever words the cloud keeps the destination",
    ofMarks: true,
    needs: ["plant", "otherSpelling"],
    check: async (bench) => {
      const { asKept, canonical } = bench.fixture.otherSpelling ?? { asKept: "", canonical: "" };
      const providerID = await bench.fixture.createMachine("w-1");
      const id = await plant(bench, { destination: asKept, providerID, mark: markOf("w-1") });
      assert.equal((await listed(bench, id)).destination, asKept);
      const wish = wishFor("w-1", { providerID, destination: canonical });
      assert.equal((await create(bench, wish)).id, id);
      await remove(bench, await listed(bench, id));
      assert.deepEqual(await bench.fixture.table(), []);
    },
  },
  {
    name: "reads every page of the tables",
    needs: ["fill"],
    check: async (bench) => {
      await bench.fixture.fill?.(MORE_THAN_PAGES);
      const { route } = await serve(bench, "w-1");
      const { routes, tables } = await bench.fixture.routes.list(bench.context());
      assert.equal(routes.length, MORE_THAN_PAGES + 1);
      assert.equal(new Set(routes.map(({ id }) => id)).size, routes.length);
      assert.ok(routes.some(({ id }) => id === route.id));
      const used = tables.reduce((sum, table) => sum + table.used, 0);
      assert.equal(used, routes.length);
    },
  },
];

async function plant({ fixture }: RoutesBench, route: PlantedRoute): Promise<string> {
  return (await fixture.plant?.(route)) ?? "";
}
