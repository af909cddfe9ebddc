import { randomUUID } from "node:crypto";
import type { Action } from "@cloudwright/core/model/actions/action";
import type { Role } from "@cloudwright/core/model/roles";
import { describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { auditOf, contextOf, retryOf } from "../../testing/intent-requests.ts";
import { type IntentRequest, requestIntent } from "./request-intent.ts";

const database = useClusterDatabase();
const as = (role: Role) => contextOf(database.db, role);
const audit = () => auditOf(database.db);

const UNTIL = Date.now() + 3_600_000;

const REQUESTS: Readonly<Record<string, Action>> = {
  hold: { kind: "hold", until: UNTIL },
  release: { kind: "release" },
  override: { kind: "override", until: UNTIL },
  pause: { kind: "pause", until: UNTIL },
  resume: { kind: "resume" },
  "release-guard": {
    kind: "release-guard",
    nodes: [
      { name: "w-1", uid: "uid-1" },
      { name: "w-2", uid: "uid-2" },
    ],
  },
  "set-setting": {
    ...{ kind: "set-setting", setting: "node-monitor-period", from: "5s", value: "10s" },
  },
};

/** Returns a request of this kind as its dialog sends it. */
function full(kind: string, over: Partial<IntentRequest> = {}): IntentRequest {
  const ofControl = ["pause", "resume", "release-guard", "set-setting"].includes(kind);
  const controller = ofControl ? "cloud-node-lifecycle-controller" : "cloud-node-controller";
  return retryOf({
    kind: kind as IntentRequest["kind"],
    action: REQUESTS[kind],
    controller,
    object: ofControl
      ? { kind: "Controller", name: controller }
      : { kind: "Node", name: "w-1", uid: "uid-1" },
    planHash: "h1",
    ...(kind === "override" ? { confirmation: "w-1" } : {}),
    ...(kind === "release-guard" ? { confirmation: "2" } : {}),
    ...over,
  });
}

describe("requesting an action", () => {
  test("writes the intent and its audit entry", async () => {
    const request = retryOf();
    const intent = await requestIntent(as("operator"), request);
    expect(intent).toMatchObject({
      id: request.id,
      state: "requested",
      actor: "operator",
      why: "The quota was raised",
    });
    expect(intent.expiresAt - intent.requestedAt).toBe(600_000);
    expect(await audit()).toMatchObject([
      {
        action: "intent.request",
        actorId: "id-operator",
        result: "applied",
        objectName: "w-1",
        intentId: request.id,
      },
    ]);
  });

  test("twice with one id requests it once, also at the same time", async () => {
    const request = retryOf();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => requestIntent(as("operator"), request)),
    );
    expect(new Set(answers.map((answer) => answer.requestedAt)).size).toBe(1);
    expect(await database.db.prisma.intent.count()).toBe(1);
    expect(await audit()).toHaveLength(1);
  });

  test("for something else with the same id is a conflict", async () => {
    const request = retryOf();
    await requestIntent(as("operator"), request);
    const other = retryOf({ id: request.id, object: { kind: "Node", name: "w-2" } });
    await expect(requestIntent(as("operator"), other)).rejects.toMatchObject({ code: "Conflict" });
  });

  test.each<[Role, IntentRequest["kind"], boolean]>([
    ["viewer", "retry", false],
    ["operator", "retry", true],
    ["admin", "retry", true],
    ["viewer", "preview", true],
  ])("as %s to %s is allowed: %s", async (role, kind, allowed) => {
    const requested = requestIntent(as(role), retryOf({ kind }));
    if (allowed) await expect(requested).resolves.toMatchObject({ kind });
    else await expect(requested).rejects.toMatchObject({ code: "Forbidden" });
  });

  test("without the right is refused and audited", async () => {
    await expect(requestIntent(as("viewer"), retryOf())).rejects.toThrow(
      "Needs role operator; viewer is viewer. Ask an admin.",
    );
    expect(await database.db.prisma.intent.count()).toBe(0);
    expect(await audit()).toMatchObject([{ action: "intent.request", result: "refused" }]);
  });

  test.each<[Role, string, boolean]>([
    ["viewer", "hold", false],
    ["operator", "hold", true],
    ["operator", "release", true],
    ["operator", "override", false],
    ["admin", "override", true],
    ["operator", "pause", false],
    ["admin", "pause", true],
    ["operator", "resume", false],
    ["admin", "resume", true],
    ["operator", "release-guard", false],
    ["admin", "release-guard", true],
  ])("as %s for a %s: %s", async (role, kind, allowed) => {
    const requested = requestIntent(as(role), full(kind));
    if (allowed) await expect(requested).resolves.toMatchObject({ kind, action: REQUESTS[kind] });
    else await expect(requested).rejects.toMatchObject({ code: "Forbidden" });
    expect(await database.db.prisma.intent.count()).toBe(allowed ? 1 : 0);
    // The audit entry keeps the key `wish` of earlier entries, whatever the types call the action.
    expect(await audit()).toMatchObject([
      { result: allowed ? "applied" : "refused", after: { wish: { kind } } },
    ]);
  });

  test("as a viewer for the plan of any action is a preview of it", async () => {
    for (const kind of Object.keys(REQUESTS)) {
      const { planHash: _, confirmation: __, ...request } = full(kind);
      const preview = await requestIntent(as("viewer"), { ...request, kind: "preview" });
      expect(preview).toMatchObject({ kind: "preview", action: REQUESTS[kind] });
    }
  });

  test.each([
    ["no reason", { why: "   " }],
    ["an id that is no UUID", { id: "1" }],
    ["a reason that no database keeps", { why: "a\0b" }],
    ["half a character", { why: "\ud800" }],
    ["an unknown action", { kind: "explode" }],
    ["an unknown controller", { controller: "mine" }],
  ])("with %s is invalid and writes nothing", async (_name, over) => {
    await expect(requestIntent(as("admin"), { ...retryOf(), ...over })).rejects.toMatchObject({
      code: "Invalid",
    });
    expect(await audit()).toHaveLength(0);
  });

  test("in a cluster that nobody has reported is not found", async () => {
    await expect(requestIntent(as("admin"), retryOf({ cluster: "nowhere" }))).rejects.toMatchObject(
      {
        code: "NotFound",
      },
    );
  });
});

describe("what an action requires", () => {
  const DAY = 86_400_000;
  test.each<[string, IntentRequest, RegExp]>([
    [
      "an end that is past",
      full("hold", { action: { kind: "hold", until: 1 } }),
      /has already passed/,
    ],
    [
      "a hold of eight days",
      full("hold", { action: { kind: "hold", until: Date.now() + 8 * DAY } }),
      /at most 7 days/,
    ],
    [
      "an override of eight days",
      full("override", { action: { kind: "override", until: Date.now() + 8 * DAY } }),
      /at most 7 days/,
    ],
    [
      "a pause of eight days",
      full("pause", { action: { kind: "pause", until: Date.now() + 8 * DAY } }),
      /at most 7 days/,
    ],
    ["a hold that was not previewed", full("hold", { planHash: undefined }), /a preview first/],
    ["a pause that was not previewed", full("pause", { planHash: undefined }), /a preview first/],
    ["an override without the name", full("override", { confirmation: undefined }), /typing.* w-1/],
    ["an override of another name", full("override", { confirmation: "w-2" }), /typing.* w-1/],
    ["a guard's release of another count", full("release-guard", { confirmation: "3" }), /typing/],
    [
      "a kind that is not the action's",
      full("hold", { action: { kind: "release" } }),
      /both must match/,
    ],
    [
      "a node without its uid",
      full("hold", { object: { kind: "Node", name: "w-1" } }),
      /the uid of the Node/,
    ],
    [
      "a hold of a controller",
      full("hold", { object: { kind: "Controller", name: "cloud-node-controller", uid: "u" } }),
      /by these controllers: Node \(/,
    ],
    [
      "a pause of a node",
      full("pause", { object: { kind: "Node", name: "w-1" } }),
      /name the controller/,
    ],
    [
      "a guard's release of another controller",
      full("release-guard", {
        controller: "cloud-node-controller",
        object: { kind: "Controller", name: "cloud-node-controller" },
      }),
      /by these controllers: Controller \(cloud-node-lifecycle/,
    ],
    [
      "a guard's release that lists a node twice",
      full("release-guard", {
        action: { kind: "release-guard", nodes: Array(2).fill({ name: "w-1", uid: "uid-1" }) },
      }),
      /listed twice/,
    ],
    [
      "a retry by a controller of other objects",
      retryOf({ controller: "service-lb-controller" }),
      /only works on objects of these kinds: Service/,
    ],
  ])("refuses %s, on the record", async (_name, request, message) => {
    const requested = requestIntent(as("admin"), request);
    await expect(requested).rejects.toMatchObject({
      code: "Invalid",
      message: expect.stringMatching(message),
    });
    expect(await database.db.prisma.intent.count()).toBe(0);
    expect(await audit()).toMatchObject([{ action: "intent.request", result: "refused" }]);
  });

  test("is not required of a preview, except for its end", async () => {
    const { planHash: _, confirmation: __, ...request } = full("override");
    await expect(
      requestIntent(as("viewer"), { ...request, kind: "preview" }),
    ).resolves.toMatchObject({ state: "requested" });
    const past = full("preview", { action: { kind: "hold", until: 1 } });
    await expect(requestIntent(as("viewer"), past)).rejects.toMatchObject({ code: "Invalid" });
  });

  test("may be left out when the kind says it all", async () => {
    const { action: _, ...release } = full("release");
    expect((await requestIntent(as("operator"), release)).action).toEqual({ kind: "release" });
    const { action: __, ...hold } = full("hold", { id: randomUUID() });
    await expect(requestIntent(as("operator"), hold)).rejects.toMatchObject({ code: "Invalid" });
  });
});

describe("several at once", () => {
  test("a second hold of the same node names the first one, until that is over", async () => {
    const first = await requestIntent(as("operator"), full("hold"));
    await expect(requestIntent(as("admin"), full("hold"))).rejects.toMatchObject({
      code: "Conflict",
      message: expect.stringMatching(
        new RegExp(
          `^operator requested “Hold w-1” at .*, and it has not ended yet .action ${first.id}`,
        ),
      ),
    });
    await expect(requestIntent(as("admin"), full("override"))).rejects.toMatchObject({
      code: "Conflict",
    });
    await database.db.prisma.intent.update({
      where: { id: first.id },
      data: { state: "verified" },
    });
    await expect(requestIntent(as("admin"), full("hold"))).resolves.toMatchObject({ kind: "hold" });
  });

  test("of two at the same moment one is accepted", async () => {
    const requested = await Promise.allSettled(
      (["operator", "admin"] as const).map((role) => requestIntent(as(role), full("hold"))),
    );
    expect(requested.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await database.db.prisma.intent.count()).toBe(1);
  });

  test("an overdue one that nobody has ended does not conflict", async () => {
    await requestIntent(as("operator"), full("hold"));
    await database.db.pool.query("UPDATE intents SET expires_at = now() - interval '1 second'");
    await expect(requestIntent(as("admin"), full("hold"))).resolves.toMatchObject({ kind: "hold" });
  });

  test("previews, retries and other objects do not conflict", async () => {
    await requestIntent(as("operator"), full("hold"));
    const other = full("hold", { object: { kind: "Node", name: "w-2", uid: "uid-2" } });
    for (const request of [
      retryOf(),
      retryOf(),
      retryOf({ kind: "preview" }),
      other,
      full("pause"),
    ]) {
      await expect(requestIntent(as("admin"), request)).resolves.toMatchObject({
        state: "requested",
      });
    }
  });

  test("a user's 61st within a minute is refused; previews are counted separately", async () => {
    const ask = (count: number) =>
      Promise.allSettled(
        Array.from({ length: count }, () => requestIntent(as("operator"), retryOf())),
      );
    const requested = await ask(63);
    const refused = requested.filter((each) => each.status === "rejected");
    expect(refused).toHaveLength(3);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: "Limit" });
    expect(await database.db.prisma.intent.count()).toBe(60);
    await expect(
      requestIntent(as("operator"), retryOf({ kind: "preview" })),
    ).resolves.toBeDefined();
    await expect(requestIntent(as("admin"), retryOf())).resolves.toBeDefined();
    await database.db.pool.query("UPDATE intents SET requested_at = now() - interval '61 seconds'");
    await expect(requestIntent(as("operator"), retryOf())).resolves.toBeDefined();
  });
});
