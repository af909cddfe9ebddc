import { expect, test } from "vitest";
import type { Change } from "../../model/plan.ts";
import type { Trigger } from "../../model/run.ts";
import { change } from "../testing/loop-fixture.ts";
import { auditOfChange } from "./change-audit.ts";

const BY_ITSELF: Trigger = { kind: "period" };
const BY_ADA: Trigger = { kind: "intent", intentId: "i-1", actor: "Ada" };
const INITIALISE = change("w-1");
const HOLD: Change = {
  ...change("w-1", "node.hold"),
  reason: { code: "PersonAsked", by: "Ada", why: "INC-88", intentId: "i-1" },
};

test.each<{ of: string; made: Change; trigger: Trigger; why: string; intentId?: string }>([
  {
    of: "what the loop does by itself",
    made: INITIALISE,
    trigger: BY_ITSELF,
    why: "It was initialised with what the cloud reports.",
  },
  {
    of: "what a user's retry made it do",
    made: INITIALISE,
    trigger: BY_ADA,
    why: "It was initialised with what the cloud reports. Requested by Ada.",
    intentId: "i-1",
  },
  {
    of: "a user's own act, who is named once",
    made: HOLD,
    trigger: BY_ADA,
    why: "Ada asked for it: INC-88.",
    intentId: "i-1",
  },
])("names $of $why", ({ made, trigger, why, intentId }) => {
  const entry = auditOfChange({
    id: "a-1",
    at: 1,
    change: made,
    result: "applied",
    identity: { cluster: "c-1", instance: "host_1" },
    controller: "cloud-node-controller",
    runId: "r-1",
    trigger,
  });
  expect(entry).toMatchObject({ why, actor: { name: "cloud-node-controller" }, runId: "r-1" });
  expect(entry.intentId).toBe(intentId);
});
