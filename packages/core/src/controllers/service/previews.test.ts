import { ProviderError } from "@cloudwright/provider-api";
import { expect, it } from "vitest";
import { node } from "../testing/node-fixture.ts";
import { expectPreviewsLeaveNothing, Requests } from "../testing/previews.ts";
import { fixture } from "./testing/open-fixtures.ts";
import { DRIFT_PERIOD_MS, type ServiceFixture, service } from "./testing/service-fixture.ts";

const READS = /^(GET|LIST)/;

/** Returns everything that was published, remembered and written so far. */
function traces({
  events,
  metrics,
  services,
  balancers: loadBalancers,
  lastSeen,
  loop,
  outcomes,
}: ServiceFixture) {
  const keys = ["shop/web", "orphan:lb-lost"];
  return {
    events: [...events],
    metrics: [...metrics],
    patches: [...services.patches],
    writes: loadBalancers.calls.filter((call) => !READS.test(call)),
    runs: outcomes.map(({ outcome, reason, written }) => [outcome, reason, written.length]),
    memory: keys.map((key) => loop.memoryStore.of(key, loop.object(key).uid)),
    departed: lastSeen.departed.keys,
    unwanted: [...lastSeen.unwanted],
    orphans: lastSeen.orphans.ids,
  };
}

const scenario = { start: () => fixture(), keys: ["shop/web"], traces };

it("leave no trace of a Service that is served, follows its nodes, is edited and deleted", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    steps: [
      ({ services }) => services.put(service()),
      ({ nodes }) => nodes.put(node({ name: "n2", providerID: "p://n2" })),
      ({ services }) =>
        services.edit("shop/web", (one) => ({
          ...one,
          spec: { ...one.spec, ports: [{ port: 81, protocol: "TCP", nodePort: 31_081 }] },
        })),
      ({ balancers: loadBalancers }) => loadBalancers.cloud.clear(),
      (made) => made.settle(DRIFT_PERIOD_MS),
      ({ services }) => services.delete("shop/web"),
    ],
  }));

it("leave no trace of a Service deleted without its finalizer and with nothing left in the cloud", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    steps: [
      ({ services }) => services.put(service()),
      ({ services, balancers: loadBalancers }) => {
        loadBalancers.cloud.clear();
        services.remove("shop/web");
      },
      ({ services }) => services.put(service({ uid: "uid-2" })),
    ],
  }));

it("leave no trace of what an earlier Service of the name has left", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    steps: [
      ({ services }) => services.put(service()),
      ({ services }) => {
        services.remove("shop/web");
        services.put(service({ uid: "uid-2" }));
      },
    ],
  }));

it("offer a refused member no earlier again than the runs do", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    steps: [
      ({ services }) => services.put(service()),
      ({ nodes, balancers: loadBalancers }) => {
        let refusals = 1;
        loadBalancers.onCall = async (operation, name) => {
          if (operation !== "MEMBERS" || refusals === 0) return;
          refusals -= 1;
          const call = { provider: "p", operation, member: "p://n2" };
          throw new ProviderError("Invalid", `${name} cannot have it.`, call);
        };
        nodes.put(node({ name: "n2", providerID: "p://n2" }));
      },
      ({ nodes }) => nodes.put(node({ name: "n3", providerID: "p://n3" })),
      (made) => made.settle(DRIFT_PERIOD_MS),
    ],
  }));

it("leave no trace of a Service whose cloud fails", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    steps: [
      ({ services, balancers: loadBalancers }) => {
        loadBalancers.onCall = async (operation) => {
          throw new ProviderError("Unavailable", "Down.", { provider: "p", operation });
        };
        services.put(service());
      },
      ({ balancers: loadBalancers }) => {
        loadBalancers.onCall = () => Promise.resolve();
      },
    ],
  }));

it("leave no trace of a Service that is held, drifts, is released and reensured", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    steps: [
      ({ services }) => services.put(service()),
      ({ clock }) => new Requests({ kind: "hold", until: clock.now() + 10 * DRIFT_PERIOD_MS }),
      ({ balancers: loadBalancers }) => loadBalancers.cloud.clear(),
      () => new Requests({ kind: "release" }),
      () => new Requests({ kind: "reensure" }),
    ],
    ended: ({ outcomes }) =>
      expect(outcomes.flatMap(({ written }) => written.map(({ kind }) => kind))).toEqual(
        expect.arrayContaining(["service.hold", "service.release", "balancer.create"]),
      ),
  }));

it("leave no trace in a dry run, which writes and publishes nothing either", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    start: () => fixture({ dryRun: true }),
    steps: [
      ({ services }) => services.put(service()),
      ({ services }) => services.delete("shop/web"),
    ],
    ended: ({ events, metrics, services, balancers: loadBalancers, outcomes }) => {
      const writes = loadBalancers.calls.filter((call) => !READS.test(call));
      expect([events, metrics, services.patches, writes]).toEqual([[], [], [], []]);
      const planned = outcomes.flatMap(({ unwritten }) => unwritten.map(({ kind }) => kind));
      expect(planned).toContain("balancer.create");
    },
  }));
