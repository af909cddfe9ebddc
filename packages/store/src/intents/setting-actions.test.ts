import { randomUUID } from "node:crypto";
import type { SettingAction } from "@cloudwright/core/model/actions/action";
import type { ControlsStatus } from "@cloudwright/core/model/controls";
import type { Role } from "@cloudwright/core/model/roles";
import { describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { CLUSTER, heartbeat } from "../../testing/records.ts";
import { requestIntent } from "./request-intent.ts";

const database = useClusterDatabase();
const LIFECYCLE = "cloud-node-lifecycle-controller";
const LEADER = "cloudwright-controller";

const PERIOD: SettingAction = {
  ...{ kind: "set-setting", setting: "node-monitor-period", from: "5s", value: "10s" },
};
const SHORTER: SettingAction = {
  ...{ kind: "shorten-retention", setting: "ledger-retention-runs", from: "30d", value: "3d" },
};
const LOOSER: SettingAction = {
  ...{ kind: "loosen-guard", setting: "node-deletion-guard", from: "5,10%,10m", value: "off" },
};
const OFFERED = [PERIOD, SHORTER, LOOSER].map(({ setting, from }) => ({ setting, flag: from }));

function ask(
  action: SettingAction,
  over: {
    readonly role?: Role;
    readonly kind?: "preview";
    readonly confirmation?: string;
    readonly planHash?: undefined;
  } = {},
) {
  const { role = "admin", ...rest } = over;
  const controller = action.setting.startsWith("ledger") ? LEADER : LIFECYCLE;
  return requestIntent(
    { db: database.db, actor: { id: `id-${role}`, name: role, role } },
    {
      ...{ id: randomUUID(), cluster: CLUSTER, kind: action.kind, action, controller },
      ...{ object: { kind: "Controller", name: controller }, why: "INC-88", planHash: "h-1" },
      ...rest,
    },
  );
}

async function lead(settings: ControlsStatus["settings"] | "not reported") {
  const controls =
    settings === "not reported"
      ? {}
      : { controls: { pauses: [], ...(settings === undefined ? {} : { settings }) } };
  await database.write(heartbeat(controls));
}

describe("a change of a setting", () => {
  test.each<[string, SettingAction, string | undefined]>([
    ["of a period", PERIOD, undefined],
    ["that loses records", SHORTER, "3d"],
    ["that loosens the guard", LOOSER, "off"],
  ])("%s is for admins, with the plan and what had to be typed", async (_case, action, typed) => {
    await lead(OFFERED);
    const confirmed = typed === undefined ? {} : { confirmation: typed };
    for (const role of ["viewer", "operator"] as const) {
      await expect(ask(action, { role, ...confirmed })).rejects.toMatchObject({
        code: "Forbidden",
      });
    }
    await expect(ask(action, { ...confirmed, planHash: undefined })).rejects.toThrow(
      /a preview first/,
    );
    if (typed !== undefined) await expect(ask(action)).rejects.toThrow(`the new value, ${typed}.`);
    expect(await ask(action, confirmed)).toMatchObject({ state: "requested", action });
    expect(await ask(action, { role: "viewer", kind: "preview" })).toMatchObject({
      kind: "preview",
    });
  });

  test("waits for another user if it loosens the guard, and for nobody if it does not", async () => {
    await database.db.prisma.approvalPolicy.create({
      data: {
        ...{ clusterId: CLUSTER, required: true, actions: ["release"] },
        ...{ changedBy: "ana", changedAt: new Date() },
      },
    });
    const tighter = { ...LOOSER, kind: "set-setting", value: "1,1%,10m" } as const;
    expect(await ask(LOOSER, { confirmation: "off" })).toMatchObject({
      state: "awaiting-approval",
    });
    expect(await ask(tighter)).toMatchObject({ state: "requested" });
    expect(await ask(PERIOD)).toMatchObject({ state: "requested" });
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ["an unknown setting", { setting: "kube-api-qps" }, /no setting of this name can be changed/],
    ["a value that is none", { value: "soon" }, /must be a duration such as 10s/],
    ["a value out of bounds", { value: "1ms" }, /between 1s and 24h, and cannot be "1ms"/],
    ["the value that holds", { value: "5s" }, /must name a value other than 5s/],
    ["a value that is too long", { value: "1".repeat(61) }, /action\.value is not valid/],
  ])("is refused with %s in one sentence", async (_case, over, message) => {
    const action = { ...PERIOD, ...over } as SettingAction;
    await expect(ask(action)).rejects.toMatchObject({
      code: "Invalid",
      message: expect.stringMatching(message),
    });
  });

  test("is refused under the name of a less critical one", async () => {
    const lighter = { ...LOOSER, kind: "set-setting" } as const;
    await expect(ask(lighter)).rejects.toThrow(
      "A change of --node-deletion-guard from 5,10%,10m to off is a loosen-guard.",
    );
  });
});

describe("a leader", () => {
  test("of an earlier release takes no settings, which is reported instead of waiting", async () => {
    await lead(undefined);
    for (const kind of [undefined, "preview"] as const) {
      await expect(ask(PERIOD, kind === undefined ? {} : { kind })).rejects.toMatchObject({
        code: "Precondition",
        message: expect.stringMatching(/^The leader runs release 0\.1\.0, .*update/),
      });
    }
    expect(await database.db.prisma.intent.count()).toBe(0);
  });

  test("without the controller that reads a setting takes no change of it", async () => {
    await lead([{ setting: "ledger-retention-runs", flag: "30d" }]);
    await expect(ask(PERIOD)).rejects.toThrow(/does not read --node-monitor-period/);
    expect(await ask(SHORTER, { confirmation: "3d" })).toMatchObject({ state: "requested" });
  });

  test("that has not reported which settings it takes is sent the change", async () => {
    await lead("not reported");
    expect(await ask(PERIOD)).toMatchObject({ state: "requested" });
  });
});
