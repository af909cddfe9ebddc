import { strict as assert } from "node:assert";
import { failureOf } from "../failure-of.ts";
import {
  create,
  list,
  listed,
  onlyOne,
  type RouteBenchCase,
  remove,
  serve,
  wishFor,
} from "./bench.ts";

const MANY = 24;

/** One route from its making to its removal. */
export const routeLifeCases: readonly RouteBenchCase[] = [
  {
    name: "makes a route to a Node's machine and lists what it answered",
    check: async (bench) => {
      const { route, providerID } = await serve(bench, "w-1");
      assert.deepEqual(await listed(bench, route.id), route);
      const one = await onlyOne(bench);
      assert.equal(one.id, route.id);
      assert.equal(one.destination, "10.120.1.0/24");
      assert.equal(one.providerID, providerID);
      assert.equal(route.blackhole, false);
    },
  },
  {
    name: "tells the target as the Node knows it",
    check: async (bench) => {
      const { route, providerID } = await serve(bench, "w-1");
      const { target } = await listed(bench, route.id);
      assert.ok(
        target.providerID === providerID || target.nodeName === "w-1",
        "The target is neither the machine's provider ID nor the Node's name.",
      );
    },
  },
  {
    name: "finds the machine by the Node's name where it has no provider ID yet",
    check: async (bench) => {
      const providerID = await bench.fixture.createMachine("w-1");
      await create(bench, wishFor("w-1"));
      assert.equal((await onlyOne(bench)).providerID, providerID);
    },
  },
  {
    name: "makes one when it is asked twice, at once and later",
    ofMarks: true,
    check: async (bench) => {
      const { route, providerID } = await serve(bench, "w-1");
      const wish = wishFor("w-1", { providerID });
      assert.equal((await create(bench, wish)).id, route.id);
      const both = await Promise.all([create(bench, wish), create(bench, wish)]);
      assert.deepEqual(
        both.map(({ id }) => id),
        [route.id, route.id],
      );
      await onlyOne(bench);
    },
  },
  {
    name: "serves both families of one Node, each with a route of its own",
    check: async (bench) => {
      const { families } = bench.fixture.routes.abilities;
      const providerID = await bench.fixture.createMachine("w-1");
      const destinations = families.map((family) =>
        family === "IPv6" ? "fd00:120:0:1::/64" : "10.120.1.0/24",
      );
      for (const destination of destinations) {
        await create(bench, wishFor("w-1", { providerID, destination }));
      }
      const made = (await bench.fixture.table()).map(({ destination }) => destination);
      assert.deepEqual(new Set(made), new Set(destinations));
    },
  },
  {
    name: "removes one, and again without harm",
    check: async (bench) => {
      const { route } = await serve(bench, "w-1");
      await remove(bench, route);
      assert.deepEqual(await bench.fixture.table(), []);
      assert.deepEqual(await list(bench), []);
      await remove(bench, route);
    },
  },
  {
    name: "removes only the one that it is given",
    check: async (bench) => {
      const { route } = await serve(bench, "w-1");
      const other = await serve(bench, "w-2");
      await remove(bench, route);
      assert.equal((await onlyOne(bench)).id, other.route.id);
    },
  },
  {
    name: "makes a route anew that was removed, to another machine as well",
    check: async (bench) => {
      const { route } = await serve(bench, "w-1");
      await remove(bench, route);
      const { providerID } = await serve(bench, "w-2", { destination: "10.120.1.0/24" });
      assert.equal((await onlyOne(bench)).providerID, providerID);
    },
  },
  {
    name: "calls a machine that the cloud does not know NotFound, and makes nothing",
    needs: ["unknownMachine"],
    check: async (bench) => {
      const providerID = bench.fixture.unknownMachine ?? "";
      await bench.fixture.createMachine("w-2");
      for (const wish of [wishFor("w-1", { providerID }), wishFor("w-1")]) {
        assert.equal((await failureOf(create(bench, wish))).code, "NotFound");
      }
      assert.deepEqual(await bench.fixture.table(), []);
    },
  },
  {
    name: "tells a blackhole when the machine is gone, and can remove it",
    needs: ["removeMachine"],
    check: async (bench) => {
      const { route, providerID } = await serve(bench, "w-1");
      const other = await serve(bench, "w-2");
      await bench.fixture.removeMachine?.(providerID);
      const left = await list(bench);
      const gone = left.find(({ id }) => id === route.id);
      if (gone !== undefined) {
        assert.equal(gone.blackhole, true, "A route to a machine that is gone is no blackhole.");
        await remove(bench, gone);
      }
      assert.equal((await listed(bench, other.route.id)).blackhole, false);
      assert.equal((await onlyOne(bench)).id, other.route.id);
    },
  },
  {
    name: "makes and removes many at the same time",
    check: async (bench) => {
      const nodes = Array.from({ length: MANY }, (_, index) => `w-${index}`);
      const made = await Promise.all(nodes.map((node) => serve(bench, node)));
      assert.equal(new Set(made.map(({ route }) => route.id)).size, MANY);
      const all = await list(bench);
      for (const { route } of made) {
        assert.deepEqual(
          all.find(({ id }) => id === route.id),
          route,
        );
      }
      await Promise.all(made.slice(1).map(({ route }) => remove(bench, route)));
      assert.equal((await onlyOne(bench)).id, made[0]?.route.id);
    },
  },
  {
    name: "tells how full each table is",
    check: async (bench) => {
      await serve(bench, "w-1");
      await serve(bench, "w-2");
      const { routes, tables } = await bench.fixture.routes.list(bench.context());
      assert.equal(new Set(tables.map(({ id }) => id)).size, tables.length);
      for (const { table } of routes) {
        const own = tables.find(({ id }) => id === table);
        assert.ok(own, `The table ${table} of a listed route is not told.`);
        assert.equal(own.used, routes.filter((route) => route.table === table).length);
      }
    },
  },
];
