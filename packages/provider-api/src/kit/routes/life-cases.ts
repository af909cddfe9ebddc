import { strict as assert } from "node:assert";
import { failureOf } from "../failure-of.ts";
import {
  create,
  list,
  listed,
  onlyOne,
  optionsFor,
  type RouteCase,
  remove,
  serve,
} from "./steps.ts";

const MANY = 24;

/** One route from its creation to its removal. */
export const routeLifeCases: readonly RouteCase[] = [
  {
    name: "makes a route to a Node's machine and lists what it answered",
    check: async (subject) => {
      const { route, providerID } = await serve(subject, "w-1");
      assert.deepEqual(await listed(subject, route.id), route);
      const one = await onlyOne(subject);
      assert.equal(one.id, route.id);
      assert.equal(one.destination, "10.120.1.0/24");
      assert.equal(one.providerID, providerID);
      assert.equal(route.blackhole, false);
    },
  },
  {
    name: "reports the target as the Node knows it",
    check: async (subject) => {
      const { route, providerID } = await serve(subject, "w-1");
      const { target } = await listed(subject, route.id);
      assert.ok(
        target.providerID === providerID || target.nodeName === "w-1",
        "The target is neither the machine's provider ID nor the Node's name.",
      );
    },
  },
  {
    name: "finds the machine by the Node's name where it has no provider ID yet",
    check: async (subject) => {
      const providerID = await subject.fixture.createMachine("w-1");
      await create(subject, optionsFor("w-1"));
      assert.equal((await onlyOne(subject)).providerID, providerID);
    },
  },
  {
    name: "makes one when it is asked twice, at once and later",
    needs: ["storesOwner"],
    check: async (subject) => {
      const { route, providerID } = await serve(subject, "w-1");
      const options = optionsFor("w-1", { providerID });
      assert.equal((await create(subject, options)).id, route.id);
      const both = await Promise.all([create(subject, options), create(subject, options)]);
      assert.deepEqual(
        both.map(({ id }) => id),
        [route.id, route.id],
      );
      await onlyOne(subject);
    },
  },
  {
    name: "serves both families of one Node, each with a route of its own",
    check: async (subject) => {
      const { families } = subject.fixture.routes.abilities;
      const providerID = await subject.fixture.createMachine("w-1");
      const destinations = families.map((family) =>
        family === "IPv6" ? "fd00:120:0:1::/64" : "10.120.1.0/24",
      );
      for (const destination of destinations) {
        await create(subject, optionsFor("w-1", { providerID, destination }));
      }
      const made = (await subject.fixture.table()).map(({ destination }) => destination);
      assert.deepEqual(new Set(made), new Set(destinations));
    },
  },
  {
    name: "removes one, and again without harm",
    check: async (subject) => {
      const { route } = await serve(subject, "w-1");
      await remove(subject, route);
      assert.deepEqual(await subject.fixture.table(), []);
      assert.deepEqual(await list(subject), []);
      await remove(subject, route);
    },
  },
  {
    name: "removes only the one that it is given",
    check: async (subject) => {
      const { route } = await serve(subject, "w-1");
      const other = await serve(subject, "w-2");
      await remove(subject, route);
      assert.equal((await onlyOne(subject)).id, other.route.id);
    },
  },
  {
    name: "makes a route anew that was removed, to another machine as well",
    check: async (subject) => {
      const { route } = await serve(subject, "w-1");
      await remove(subject, route);
      const { providerID } = await serve(subject, "w-2", { destination: "10.120.1.0/24" });
      assert.equal((await onlyOne(subject)).providerID, providerID);
    },
  },
  {
    name: "calls a machine that the cloud does not know NotFound, and makes nothing",
    needs: ["unknownMachine"],
    check: async (subject) => {
      const providerID = subject.fixture.unknownMachine ?? "";
      await subject.fixture.createMachine("w-2");
      for (const options of [optionsFor("w-1", { providerID }), optionsFor("w-1")]) {
        assert.equal((await failureOf(create(subject, options))).code, "NotFound");
      }
      assert.deepEqual(await subject.fixture.table(), []);
    },
  },
  {
    name: "reports a blackhole when the machine is gone, and can remove it",
    needs: ["removeMachine"],
    check: async (subject) => {
      const { route, providerID } = await serve(subject, "w-1");
      const other = await serve(subject, "w-2");
      await subject.fixture.removeMachine?.(providerID);
      const left = await list(subject);
      const gone = left.find(({ id }) => id === route.id);
      if (gone !== undefined) {
        assert.equal(
          gone.blackhole,
          true,
          "A route to a removed machine is not reported as a blackhole.",
        );
        await remove(subject, gone);
      }
      assert.equal((await listed(subject, other.route.id)).blackhole, false);
      assert.equal((await onlyOne(subject)).id, other.route.id);
    },
  },
  {
    name: "makes and removes many at the same time",
    check: async (subject) => {
      const nodes = Array.from({ length: MANY }, (_, index) => `w-${index}`);
      const made = await Promise.all(nodes.map((node) => serve(subject, node)));
      assert.equal(new Set(made.map(({ route }) => route.id)).size, MANY);
      const all = await list(subject);
      for (const { route } of made) {
        assert.deepEqual(
          all.find(({ id }) => id === route.id),
          route,
        );
      }
      await Promise.all(made.slice(1).map(({ route }) => remove(subject, route)));
      assert.equal((await onlyOne(subject)).id, made[0]?.route.id);
    },
  },
  {
    name: "reports how full each table is",
    check: async (subject) => {
      await serve(subject, "w-1");
      await serve(subject, "w-2");
      const { routes, tables } = await subject.fixture.routes.list(subject.context());
      assert.equal(new Set(tables.map(({ id }) => id)).size, tables.length);
      for (const { table } of routes) {
        const own = tables.find(({ id }) => id === table);
        assert.ok(own, `The table ${table} of a listed route is not reported.`);
        assert.equal(own.used, routes.filter((route) => route.table === table).length);
      }
    },
  },
];
