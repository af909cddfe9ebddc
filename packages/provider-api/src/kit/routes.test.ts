import { describe, expect, it } from "vitest";
import type { RouteSpec } from "../routes.ts";
import { MemoryRoutes } from "../testing/memory-routes.ts";
import type { RoutesFixture } from "./routes/fixture.ts";
import { routeCases } from "./routes.ts";

describe("the conformance kit of routes", () => {
  it.each(routeCases)("passes a provider that keeps the contract: $name", async (one) => {
    const fixture = new MemoryRoutes().fixture();
    expect(one.unmet(fixture)).toEqual([]);
    await one.run(fixture);
  });

  it("names the needs that a fixture does not meet", () => {
    const { provider, routes, createMachine, table } = new MemoryRoutes().fixture();
    const { list, create, remove } = new MemoryRoutes();
    const unmarked = {
      abilities: { families: ["IPv4"], storesOwner: false },
      list,
      create,
      remove,
    } as const;
    const needs = (bare: RoutesFixture) => new Set(routeCases.flatMap((one) => one.unmet(bare)));
    const most = [
      "unknownMachine",
      "removeMachine",
      "createForeign",
      "otherSpelling",
      "removeRoute",
      "loseNextAnswer",
      "throttle",
      "breakCloud",
      "limitRoutes",
      "fill",
      "answerWithoutEnd",
    ];
    expect(needs({ provider, routes, createMachine, table })).toEqual(new Set(most));
    expect(needs({ provider, routes: unmarked, createMachine, table })).toEqual(
      new Set([...most, "storesOwner"]),
    );
  });

  it.each<[string, string, (cloud: MemoryRoutes) => void]>([
    [
      "makes another route each time",
      "makes no second route after a creation whose answer was lost",
      (cloud) => {
        cloud.at = () => undefined;
      },
    ],
    [
      "calls its own route a conflict",
      "makes one when it is asked twice, at once and later",
      (cloud) => {
        cloud.isMadeFor = () => false;
      },
    ],
    [
      "takes over what leads to the machine, whosever it is",
      "does not take another Node's or cluster's route to its machine for its own",
      (cloud) => {
        cloud.isMadeFor = () => true;
      },
    ],
    [
      "replaces another's route",
      "calls a destination that another has a Conflict, and leaves that one alone",
      (cloud) => {
        const at = cloud.at.bind(cloud);
        cloud.at = (destination) => {
          const there = at(destination);
          if (there !== undefined) cloud.kept.delete(there.id);
          return undefined;
        };
      },
    ],
    [
      "hides what is not ours",
      "lists routes without an owner and another cluster's, and distinguishes them",
      (cloud) => {
        const list = cloud.list.bind(cloud);
        cloud.list = async (context) => {
          const listing = await list(context);
          return {
            ...listing,
            routes: listing.routes.filter(({ owner: mark }) => mark !== undefined),
          };
        };
      },
    ],
    [
      "marks nothing",
      "marks what it makes with cluster and Node",
      (cloud) => {
        const put = cloud.put.bind(cloud);
        cloud.put = (route) => put({ ...route, owner: undefined });
      },
    ],
    [
      "compares destinations as texts",
      "knows its own route in whatever words the cloud keeps the destination",
      (cloud) => {
        cloud.at = (destination) =>
          [...cloud.kept.values()].find((one) => one.destination === destination);
      },
    ],
    [
      "calls the removal of nothing an error",
      "removes one, and again without harm",
      (cloud) => {
        const remove = cloud.remove.bind(cloud);
        cloud.remove = (route, context) => {
          if (!cloud.kept.has(route.id)) throw cloud.failed("remove", { code: "NotFound" });
          return remove(route, context);
        };
      },
    ],
    [
      "removes by machine",
      "removes only the one that it is given",
      (cloud) => {
        cloud.remove = (_route, context) =>
          cloud.request(context, "remove", () => cloud.kept.clear());
      },
    ],
    [
      "does not see that a machine is gone",
      "reports a blackhole when the machine is gone, and can remove it",
      (cloud) => {
        const shown = cloud.shown.bind(cloud);
        cloud.shown = (kept) => ({ ...shown(kept), blackhole: false });
      },
    ],
    [
      "looks a machine up by name although it has a provider ID",
      "calls a machine that the cloud does not know NotFound, and makes nothing",
      (cloud) => {
        cloud.machineOf = () => "w-2";
      },
    ],
    [
      "needs a provider ID",
      "finds the machine by the Node's name where it has no provider ID yet",
      (cloud) => {
        cloud.machineOf = ({ target }: RouteSpec) => target.providerID ?? "";
      },
    ],
    [
      "takes an outage for an empty table",
      "takes a cloud that cannot be asked for no answer, never for an empty table",
      (cloud) => {
        const list = cloud.list.bind(cloud);
        cloud.list = (context) => list(context).catch(() => ({ routes: [], tables: [] }));
      },
    ],
    [
      "takes a listing without an end for an empty table",
      "gives up an answer without an end: sameCursor",
      (cloud) => {
        const list = cloud.list.bind(cloud);
        cloud.list = (context) => list(context).catch(() => ({ routes: [], tables: [] }));
      },
    ],
    [
      "reads a listing without an end for ever",
      "gives up an answer without an end: endlessPages",
      (cloud) => {
        const list = cloud.list.bind(cloud);
        cloud.list = async (context) => {
          for (let page = 1; page <= 1_000; page++) await list(context).catch(() => undefined);
          return await list(context);
        };
      },
    ],
    [
      "forgets how long to wait",
      "passes on how long a cloud that refuses too many calls wants us to wait",
      (cloud) => {
        const { failed } = new MemoryRoutes();
        cloud.failed = (operation, { code }) =>
          failed.call(cloud, operation, { code, status: 429 });
      },
    ],
    [
      "calls a full table a conflict",
      "says that the table is full, and goes on once there is room",
      (cloud) => {
        const { failed } = new MemoryRoutes();
        cloud.failed = (operation, fault) =>
          failed.call(cloud, operation, { ...fault, code: "Conflict" });
      },
    ],
    [
      "reads one page",
      "reads every page of the tables",
      (cloud) => {
        const list = cloud.list.bind(cloud);
        cloud.list = async (context) => {
          const listing = await list(context);
          return { ...listing, routes: listing.routes.slice(0, 500) };
        };
      },
    ],
    [
      "does not count",
      "reports how full each table is",
      (cloud) => {
        const list = cloud.list.bind(cloud);
        cloud.list = async (context) => ({
          ...(await list(context)),
          tables: [{ id: "t-1", name: "main", used: 0 }],
        });
      },
    ],
  ])("fails a provider that %s", async (_defect, name, spoil) => {
    const cloud = new MemoryRoutes();
    spoil(cloud);
    await expect(caseNamed(name).run(cloud.fixture())).rejects.toThrow();
  });
});

function caseNamed(name: string): (typeof routeCases)[number] {
  const found = routeCases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no case "${name}".`);
  return found;
}
