import { it } from "vitest";
import { expectPreviewsLeaveNothing } from "../testing/previews.ts";
import { facts, volume } from "./testing/volume-fixture.ts";
import { DRIFT_PERIOD_MS, VolumeFixture } from "./testing/volume-loop-fixture.ts";

/** All that was published, remembered and written so far. */
function traces({ events, storage, outcomes, calls, loop }: VolumeFixture) {
  return {
    events: [...events],
    patches: [...storage.patches],
    writes: calls.filter((call) => call.startsWith("grow")),
    runs: outcomes.map(({ object, outcome, reason, written }) => [
      ...[object.name, outcome, reason, written.length],
    ]),
    memory: loop.memories.of("pv-1", loop.object("pv-1").uid),
  };
}

const scenario = { keys: ["pv-1"], traces };

it("leave nothing of a volume that gets its labels, loses its disk and finds it again", () =>
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
