import type { EmittedEvent } from "@cloudwright/core/model/run";
import { describe, expect, test } from "vitest";
import { CLUSTER, runEnd, runStart } from "../../../testing/records.ts";
import { useDatabase, useTestServer } from "../../../testing/suite-database.ts";
import { runEvents } from "./run-events.ts";
import { runDetail } from "./runs.ts";

const server = useTestServer();

const AT = 100_000_000;
const MINUTE = 60_000;

function event(reason: string, offsetMs = 0): EmittedEvent {
  const target = { kind: "Node", name: "w-1", uid: "uid-w-1" };
  return { type: "Warning", reason, message: `${reason} of w-1`, target, offsetMs };
}

const ITSELF = runEnd({ startedAt: AT, events: [event("Failed", 20), event("Synced", 30)] });
const BEFORE = runEnd({
  startedAt: AT - 9 * MINUTE,
  controller: "node-route-controller",
  events: [event("Earlier")],
});
const UNDER_WAY = runStart({ startedAt: AT + 5 * MINUTE });
const OF_EARLIER_RELEASE = runEnd({ startedAt: AT + 6 * MINUTE });

describe("the Events of a run", () => {
  const database = useDatabase(server, () => [
    ...[ITSELF, BEFORE, UNDER_WAY, OF_EARLIER_RELEASE],
    runEnd({ startedAt: AT - 11 * MINUTE, events: [event("TooEarly")] }),
    runEnd({ startedAt: AT + 11 * MINUTE, events: [event("TooLate")] }),
    runEnd({ startedAt: AT, object: { kind: "Node", name: "w-2" }, events: [event("Other")] }),
    runEnd({ startedAt: AT, object: { kind: "Service", name: "w-1" }, events: [event("Other")] }),
    runEnd({ startedAt: AT + 1, events: [] }),
  ]);
  const eventsOf = (id: string) => runEvents(database.db, { cluster: CLUSTER, id });

  test("come with those of its object ten minutes before and after, oldest first", async () => {
    const found = await eventsOf(ITSELF.id);
    expect(found.events.map(({ reason, at, runId }) => [reason, at - AT, runId])).toEqual([
      ["Earlier", -9 * MINUTE, BEFORE.id],
      ["Failed", 20, ITSELF.id],
      ["Synced", 30, ITSELF.id],
    ]);
    expect(found.events[0]).toEqual({
      ...{ type: "Warning", reason: "Earlier", message: "Earlier of w-1" },
      target: { kind: "Node", name: "w-1", uid: "uid-w-1" },
      ...{ at: BEFORE.startedAt, runId: BEFORE.id, controller: "node-route-controller" },
    });
    expect(found).toMatchObject({
      isRecorded: true,
      from: AT - 10 * MINUTE,
      to: AT + ITSELF.durationMs + 10 * MINUTE,
    });
  });

  test.each([UNDER_WAY.id, OF_EARLIER_RELEASE.id])(
    "are not said to be none where they are not known: %s",
    async (id) => {
      expect(await eventsOf(id)).toMatchObject({ isRecorded: false });
    },
  );

  test("stand in the record of the run as well", async () => {
    const detail = await runDetail(database.db, { cluster: CLUSTER, id: ITSELF.id });
    expect(detail.end).toEqual(ITSELF);
  });

  test.each(["01a1fce1-92b9-75d4-bcb2-41422413f4ec", "nonsense"])(
    "of a run that is not there are not found: %s",
    async (id) => {
      await expect(eventsOf(id)).rejects.toMatchObject({ code: "NotFound" });
    },
  );
});
