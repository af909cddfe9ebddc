import { ProviderError } from "@cloudwright/provider-api";
import { expect, it } from "vitest";
import { node } from "../testing/node-fixture.ts";
import { expectPreviewsLeaveNothing, Requests } from "../testing/previews.ts";
import { PERIOD_MS, RoutesFixture } from "./testing/route-fixture.ts";

/** Returns everything that was published, remembered and written so far. */
function traces({ metrics, reported, conditions, routes, outcomes, loop }: RoutesFixture) {
  const keys = ["n1", "n2", "route/r-lost", "table/t1"];
  return {
    metrics: [...metrics],
    reported: [...reported],
    conditions: [...conditions],
    writes: routes.calls.filter((call) => call !== "GET routes"),
    runs: outcomes.map(({ object, outcome, reason, written }) => [
      ...[object.name, outcome, reason, written.length],
    ]),
    memory: keys.map((key) => loop.memoryStore.of(key, loop.object(key).uid)),
  };
}

const scenario = { start: () => new RoutesFixture().settle(), keys: ["n1", "table/t1"], traces };

function nodeNumbered(index: number) {
  const name = `n${index}`;
  return node({ name, providerID: `p://${name}`, podCIDRs: [`10.0.${index}.0/24`] });
}

it("leave no trace of a Node that gets its route, changes its range and goes", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    steps: [
      ({ nodes }) => nodes.put(nodeNumbered(1)),
      ({ nodes }) =>
        nodes.put(node({ name: "n1", providerID: "p://n1", podCIDRs: ["10.0.9.0/24"] })),
      ({ routes }) => routes.cloud.clear(),
      ({ nodes }) => nodes.remove("n1"),
    ],
  }));

it("delete nothing earlier when one listing shows many routes as stale", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    start: async () => {
      const nodes = Array.from({ length: 20 }, (_, index) => nodeNumbered(index));
      return new RoutesFixture({ nodes, periodMs: 30 * PERIOD_MS }).settle();
    },
    steps: [
      ({ routes }) => {
        for (const [id, route] of routes.cloud) {
          routes.cloud.set(id, { ...route, target: { providerID: "p://n0", nodeName: undefined } });
        }
      },
      ({ nodes }) =>
        nodes.put(
          node({ name: "n1", providerID: "p://n1", podCIDRs: ["10.0.1.0/24", "fd00::/64"] }),
        ),
      (made) => made.settle(30 * PERIOD_MS),
    ],
  }));

it("leave no trace when the cloud refuses, or cannot be listed", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    steps: [
      ({ nodes, routes }) => {
        routes.onCall = async (operation) => {
          if (operation === "GET") return;
          throw new ProviderError("QuotaExceeded", "Full.", { provider: "p", operation });
        };
        nodes.put(nodeNumbered(1));
      },
      ({ nodes, routes }) => {
        routes.onCall = async (operation) => {
          throw new ProviderError("Unavailable", "Down.", { provider: "p", operation });
        };
        nodes.put(nodeNumbered(2));
      },
      ({ routes }) => {
        routes.onCall = () => Promise.resolve();
      },
    ],
  }));

it("leave no trace of a Node whose routes are retried by a user", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    steps: [
      ({ nodes }) => nodes.put(nodeNumbered(1)),
      ({ routes }) => {
        routes.cloud.clear();
        return new Requests({ kind: "retry" });
      },
    ],
    ended: ({ routes }) =>
      expect(routes.calls.filter((call) => call.startsWith("POST"))).toHaveLength(2),
  }));

it("leave no trace in a dry run, which writes nothing either", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    start: () => new RoutesFixture({ dryRun: true }).settle(),
    steps: [({ nodes }) => nodes.put(nodeNumbered(1)), ({ nodes }) => nodes.remove("n1")],
    ended: ({ conditions, routes, outcomes }) => {
      const writes = routes.calls.filter((call) => call !== "GET routes");
      expect([conditions, writes]).toEqual([[], []]);
      const planned = outcomes.flatMap(({ unwritten }) => unwritten.map(({ kind }) => kind));
      expect(planned).toContain("route.create");
    },
  }));
