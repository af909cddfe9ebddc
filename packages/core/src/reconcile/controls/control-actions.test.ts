import { describe, expect, it, test } from "vitest";
import type { ControlAction, RequestedAction, SettingAction } from "../../model/actions/action.ts";
import type { Pause } from "../../model/controls.ts";
import { planHash } from "../../model/plan.ts";
import { carriedOut, planControl } from "./control-actions.ts";
import { EMPTY_RECORD } from "./control-record.ts";
import type { ControlObserved } from "./control-work.ts";
import { EMPTY_GUARD } from "./guard-record.ts";
import { FLAGS } from "./testing/setting-flags.ts";

const NOW = 1_000_000;
const UNTIL = NOW + 1_800_000;
const NODE_LOOP = { kind: "Controller", name: "cloud-node-controller" } as const;
const LIFECYCLE = { kind: "Controller", name: "cloud-node-lifecycle-controller" } as const;
const PAUSE: Pause = {
  controller: "cloud-node-controller",
  by: "bo",
  why: "INC-1",
  at: NOW - 1_000,
  until: NOW + 60_000,
  intentId: "i-0",
};
const OVERRIDE = {
  ...{ setting: "node-monitor-period", value: "20s" },
  ...{ by: "bo", why: "INC-1", at: NOW - 1_000, intentId: "i-0" },
};
const SET = { ...EMPTY_RECORD, settings: [OVERRIDE] };

function setting(over: Partial<SettingAction> = {}): SettingAction {
  return {
    ...{ kind: "set-setting", setting: "node-monitor-period", from: "5s", value: "10s" },
    ...over,
  } as SettingAction;
}

const X = { name: "x", uid: "uid-x" };
const Y = { name: "y", uid: "uid-y" };
const HOLDING = {
  ...EMPTY_RECORD,
  guard: { ...EMPTY_GUARD, held: [{ ...X, since: 1, because: "gone" }] },
};

function requested<Kind extends ControlAction>(action: Kind): RequestedAction<Kind> {
  return { action, intentId: "i-1", by: "ana", why: "INC-88" };
}

function observed(action: ControlAction, more: Partial<ControlObserved> = {}): ControlObserved {
  return {
    record: EMPTY_RECORD,
    unavailable: undefined,
    controllers: new Set([NODE_LOOP.name, LIFECYCLE.name]),
    flags: FLAGS,
    requested: requested(action),
    object: action.kind === "pause" || action.kind === "resume" ? NODE_LOOP : LIFECYCLE,
    ...more,
  };
}

const USER = { code: "PersonAsked", by: "ana", why: "INC-88", intentId: "i-1" };

describe("an action that can be fulfilled", () => {
  test.each<[string, ControlObserved, unknown]>([
    [
      "pauses a controller",
      observed({ kind: "pause", until: UNTIL }),
      { kind: "controller.pause", before: { pause: null }, after: { pause: { until: UNTIL } } },
    ],
    [
      "sets another end to a pause",
      observed({ kind: "pause", until: UNTIL }, { record: { ...EMPTY_RECORD, pauses: [PAUSE] } }),
      {
        kind: "controller.pause",
        before: { pause: { until: PAUSE.until } },
        after: { pause: { until: UNTIL } },
      },
    ],
    [
      "resumes a controller",
      observed({ kind: "resume" }, { record: { ...EMPTY_RECORD, pauses: [PAUSE] } }),
      {
        kind: "controller.resume",
        before: { pause: { until: PAUSE.until } },
        after: { pause: null },
      },
    ],
    [
      "releases nodes from the guard",
      observed({ kind: "release-guard", nodes: [X] }, { record: HOLDING }),
      { kind: "guard.release", before: { released: [] }, after: { released: [X], forMs: 600_000 } },
    ],
  ])("%s", (_case, seen, change) => {
    const plan = planControl(seen, NOW);
    const rest = { system: "cluster", target: seen.object, reason: USER };
    expect(plan.changes).toEqual([{ ...(change as object), ...rest }]);
    expect(plan.notTaken).toEqual([]);
  });

  it("changes a setting from the current value to the requested one", () => {
    const action = setting({ value: "60s" });
    expect(planControl(observed(action), NOW)).toMatchObject({
      changes: [
        {
          kind: "setting.change",
          before: { "node-monitor-period": "5s" },
          after: { "node-monitor-period": "1m0s" },
          reason: USER,
        },
      ],
      notTaken: [],
    });
  });

  it("sets a setting back to the flag's value", () => {
    const action = setting({ from: "20s", value: "5s", reset: true });
    const [change] = planControl(observed(action, { record: SET }), NOW).changes;
    expect(change?.after).toEqual({ "node-monitor-period": "5s", source: "flag" });
  });

  it("states when the pause ends", () => {
    const { next } = planControl(observed({ kind: "pause", until: UNTIL }), NOW);
    expect(next).toMatchObject({ kind: "waiting", forMs: 1_800_000 });
  });

  it("names the nodes that no longer wait", () => {
    const action = { kind: "release-guard", nodes: [X, Y] } as const;
    const plan = planControl(observed(action, { record: HOLDING }), NOW);
    expect(plan.changes[0]?.after).toMatchObject({ released: [X] });
    expect(plan.notTaken).toMatchObject([{ step: "release y", reason: { code: "NothingToDo" } }]);
  });

  it("has the same plan whoever asks and why, and a different one with a different end", async () => {
    const hashOf = (seen: ControlObserved) => planHash(planControl(seen, NOW));
    const pause = observed({ kind: "pause", until: UNTIL });
    const others = {
      ...pause,
      requested: { ...pause.requested, by: "bo", why: "x", intentId: "i-9" },
    };
    expect(await hashOf(others)).toBe(await hashOf(pause));
    expect(await hashOf(observed({ kind: "pause", until: UNTIL + 1 }))).not.toBe(
      await hashOf(pause),
    );
  });
});

describe("an action is refused", () => {
  const PAUSE_ACTION = { kind: "pause", until: UNTIL } as const;
  const nobody = { kind: "Controller", name: "node-route-controller" } as const;
  test.each<[string, ControlObserved, string]>([
    [
      "when nothing can be kept",
      observed(PAUSE_ACTION, { unavailable: "no" }),
      "ControlRecordUnavailable",
    ],
    [
      "for a controller that does not run",
      observed(PAUSE_ACTION, { object: nobody }),
      "WishRefused",
    ],
    ["when its end is past", observed({ kind: "pause", until: NOW }), "WishRefused"],
    ["when there is no pause to end", observed({ kind: "resume" }), "NothingToDo"],
    [
      "when the pause has ended by itself",
      observed(
        { kind: "resume" },
        { record: { ...EMPTY_RECORD, pauses: [{ ...PAUSE, until: NOW }] } },
      ),
      "NothingToDo",
    ],
    [
      "when no such node is held",
      observed({ kind: "release-guard", nodes: [Y] }, { record: HOLDING }),
      "NothingToDo",
    ],
    [
      "when the guard is off",
      observed(
        { kind: "release-guard", nodes: [X] },
        { record: HOLDING, flags: { ...FLAGS, "node-deletion-guard": undefined } },
      ),
      "NothingToDo",
    ],
    [
      "of a setting that is another by now",
      observed(setting({ from: "5s" }), { record: SET }),
      "WishRefused",
    ],
    [
      "of a setting that no controller here reads",
      observed(setting(), { controllers: new Set() }),
      "WishRefused",
    ],
    ["of a setting to what is no value", observed(setting({ value: "1ms" })), "WishRefused"],
    [
      "of a setting under the name of a lighter change",
      observed(setting({ setting: "node-deletion-guard", from: "5,10%,10m", value: "off" })),
      "WishRefused",
    ],
    [
      "of a setting that no user has set, back to the flag",
      observed(setting({ from: "5s", value: "5s", reset: true })),
      "WishRefused",
    ],
    [
      "of a setting back to what the flag does not say",
      observed(setting({ from: "20s", value: "9s", reset: true }), { record: SET }),
      "WishRefused",
    ],
  ])("%s", (_case, seen, code) => {
    const plan = planControl(seen, NOW);
    expect(plan.changes).toEqual([]);
    expect(plan.notTaken).toMatchObject([{ step: seen.requested.action.kind, reason: { code } }]);
  });
});

describe("an action that is carried out", () => {
  const own = { kind: "Controller", name: "namespace-label-controller" } as const;
  const pause = { kind: "pause", until: UNTIL } as const;
  const paused = { ...EMPTY_RECORD, pauses: [PAUSE] };
  test.each<[string, ControlObserved]>([
    ["a pause", observed(pause)],
    ["a pause of a controller of somebody's own", observed(pause, { object: own })],
    ["a pause in the place of another", observed(pause, { record: paused })],
    ["a resume", observed({ kind: "resume" }, { record: paused })],
    ["a release", observed({ kind: "release-guard", nodes: [X, Y] }, { record: HOLDING })],
    ["a setting", observed(setting())],
    ["a setting in the place of another's", observed(setting({ from: "20s" }), { record: SET })],
    [
      "a setting back to the flag",
      observed(setting({ from: "20s", value: "5s", reset: true }), { record: SET }),
    ],
  ])("takes effect in the record that it writes, and not before: %s", (_case, work) => {
    const { write, isDone } = carriedOut(work.requested.action);
    expect(isDone(work, NOW)).toBe(false);
    const record = write(work, NOW);
    expect(isDone({ ...work, record }, NOW)).toBe(true);
    expect(record.pauses.length).toBe(work.requested.action.kind === "pause" ? 1 : 0);
  });

  it("leaves the pauses of other controllers alone, and releases only waiting nodes", () => {
    const other = { ...PAUSE, controller: LIFECYCLE.name };
    const record = { ...HOLDING, pauses: [other, PAUSE] };
    const resume = carriedOut({ kind: "resume" });
    expect(resume.write(observed({ kind: "resume" }, { record }), NOW).pauses).toEqual([other]);
    const action = { kind: "release-guard", nodes: [X, Y] } as const;
    const { guard } = carriedOut(action).write(observed(action, { record }), NOW);
    expect(guard.releases).toMatchObject([{ nodes: [X], until: NOW + 600_000 }]);
  });
});
