import type { Action } from "@cloudwright/core/model/actions/action";
import type { Role } from "@cloudwright/core/model/roles";
import { beforeEach, describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { auditOf, contextOf, retryOf } from "../../testing/intent-requests.ts";
import { heartbeat, nodePart, objectState } from "../../testing/records.ts";
import { requestIntent } from "./request-intent.ts";

const database = useClusterDatabase();
const as = (role: Role) => contextOf(database.db, role);

describe("a retry of an object", () => {
  const NODE = "cloud-node-controller";
  const ROUTES = "node-route-controller";
  const LIFECYCLE = "cloud-node-lifecycle-controller";

  beforeEach(async () => {
    const uninitialised = { ...nodePart({ createdAt: 1 }), ready: "False" as const };
    await database.write(
      objectState({ state: "stuck", node: uninitialised }),
      objectState({ controller: ROUTES, state: "working" }),
      objectState({ controller: LIFECYCLE, state: "ok" }),
    );
  });

  test("names every loop that is not OK, whichever the page showed, in the order of their dependencies", async () => {
    const request = retryOf({ scope: "object", controller: ROUTES });
    expect(await requestIntent(as("operator"), request)).toMatchObject({
      controller: NODE,
      action: { kind: "retry", controllers: [NODE, ROUTES] },
    });
    expect((await auditOf(database.db)).at(-1)?.after).toMatchObject({
      wish: { kind: "retry", controllers: [NODE, ROUTES] },
    });
  });

  test("is previewed for the same loops", async () => {
    const request = retryOf({ scope: "object", controller: ROUTES, kind: "preview" });
    expect(await requestIntent(as("viewer"), request)).toMatchObject({
      action: { kind: "retry", controllers: [NODE, ROUTES] },
    });
  });

  test("keeps to the loops that its preview named", async () => {
    const named = { kind: "retry", controllers: [ROUTES, LIFECYCLE] } as const;
    const request = retryOf({ action: named });
    expect(await requestIntent(as("operator"), request)).toMatchObject({
      controller: ROUTES,
      action: named,
    });
  });

  test("that names a loop is for that loop only", async () => {
    const intent = await requestIntent(as("operator"), retryOf({ controller: ROUTES }));
    expect(intent).toMatchObject({ controller: ROUTES, action: { kind: "retry" } });
    expect(intent.action).not.toHaveProperty("controllers");
  });

  test("is requested once per id, though another loop has become OK meanwhile", async () => {
    const request = retryOf({ scope: "object" });
    const first = await requestIntent(as("operator"), request);
    await database.write(objectState({ controller: ROUTES, at: Date.now() + 1 }));
    expect(await requestIntent(as("operator"), request)).toEqual(first);
  });

  test("waits for a loop that has not reported the object yet", async () => {
    const running = [NODE, ROUTES, "node-ipam-controller"] as const;
    const controllers = running.map((name) => ({ name, queueDepth: 0, oldestMs: 0 }));
    await database.write(heartbeat({ controllers }));
    expect(await requestIntent(as("operator"), retryOf({ scope: "object" }))).toMatchObject({
      action: { controllers: [NODE, "node-ipam-controller", ROUTES] },
    });
  });

  test("of an object that the ledger does not know is for the named loop", async () => {
    const request = retryOf({ scope: "object", object: { kind: "Node", name: "w-9" } });
    expect(await requestIntent(as("operator"), request)).toMatchObject({
      controller: NODE,
      action: { kind: "retry" },
    });
  });

  test("is refused for a loop that does not work on it", async () => {
    const named: Action = { kind: "retry", controllers: [NODE, "service-lb-controller"] };
    await expect(requestIntent(as("operator"), retryOf({ action: named }))).rejects.toThrow(
      "service-lb-controller only works on objects of these kinds: Service.",
    );
  });
});
