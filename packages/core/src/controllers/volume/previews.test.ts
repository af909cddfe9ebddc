import { ProviderError } from "@cloudwright/provider-api";
import { expect, it } from "vitest";
import { expectPreviewsLeaveNothing, Requests } from "../testing/previews.ts";
import { claim, facts, storageClass, volume } from "./testing/volume-fixture.ts";
import { DRIFT_PERIOD_MS, VolumeFixture } from "./testing/volume-loop-fixture.ts";

/** Returns everything that was published, remembered and written so far. */
function traces({ events, storage, outcomes, calls, loop }: VolumeFixture) {
  return {
    events: [...events],
    patches: [...storage.patches],
    writes: calls.filter((call) => call.startsWith("grow")),
    runs: outcomes.map(({ object, outcome, reason, written }) => [
      ...[object.name, outcome, reason, written.length],
    ]),
    memory: loop.memoryStore.of("pv-1", loop.object("pv-1").uid),
  };
}

const scenario = { keys: ["pv-1"], traces };

const GROWING = { volumes: [volume()], claims: [claim()], classes: [storageClass()] };

function asksFor(asks: string) {
  return ({ storage }: VolumeFixture) => storage.claims.put(claim({ asks }));
}

it("leave no trace of a volume that gets its labels, loses its disk and finds it again", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    start: () => new VolumeFixture({ volumes: [volume()] }).settle(0),
    steps: [
      () => undefined,
      (environment) => {
        environment.disk = undefined;
        return environment.settle(0);
      },
      (environment) => environment.settle(DRIFT_PERIOD_MS),
      (environment) => {
        environment.disk = facts({ zone: "z2" });
        return environment.settle(DRIFT_PERIOD_MS);
      },
    ],
  }));

it("leave no trace of a volume that grows, whose growth the cloud refuses, and that grows on", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    start: () => new VolumeFixture(GROWING).settle(0),
    steps: [
      asksFor("15Gi"),
      (environment) => {
        environment.onGrow = async () => {
          throw new ProviderError("QuotaExceeded", "Full.", { provider: "p", operation: "PATCH" });
        };
        environment.storage.claims.edit("shop/data", (one) => ({
          ...one,
          ...claim({ asks: "20Gi" }),
        }));
      },
      (environment) => {
        environment.onGrow = () => Promise.resolve();
      },
      (environment) => environment.settle(DRIFT_PERIOD_MS),
    ],
    ended: ({ calls, events }) => {
      expect(calls).toEqual(expect.arrayContaining(["grow vol-1 15", "grow vol-1 20"]));
      expect(events).toContain("PersistentVolumeClaim data Warning VolumeResizeFailed");
    },
  }));

it("leave no trace of a volume that is held while it has to grow, and released", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    start: () => new VolumeFixture(GROWING).settle(0),
    steps: [
      ({ clock }) => new Requests({ kind: "hold", until: clock.now() + DRIFT_PERIOD_MS }),
      asksFor("15Gi"),
      () => new Requests({ kind: "release" }),
      () => new Requests({ kind: "retry" }),
    ],
    ended: ({ calls, events }) => {
      expect(calls).toContain("grow vol-1 15");
      expect(events).toContain("PersistentVolume pv-1 Normal Held");
    },
  }));

it("leave no trace in a dry run, which writes and publishes nothing either", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    start: () => new VolumeFixture({ ...GROWING, dryRun: true }).settle(0),
    steps: [() => undefined, asksFor("15Gi")],
    ended: ({ events, storage, calls, outcomes }) => {
      expect([events, storage.patches]).toEqual([[], []]);
      expect(calls.filter((call) => call.startsWith("grow"))).toEqual([]);
      expect(outcomes.at(-1)?.unwritten.map(({ kind }) => kind)).toContain("volume.grow");
    },
  }));
