import type { RouteSpec } from "@cloudwright/provider-api";
import {
  type ForeignRoute,
  type RoutesFixture,
  routeCases,
  type SeenRoute,
} from "@cloudwright/provider-api/kit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { routeOwnerOf, tagsOfRoute } from "../src/owners.ts";
import { testContext } from "../src/testing/scripted-cloud.ts";
import { CloudUnderTest, type Made } from "./cloud-under-test.ts";

const shownSchema = z.object({
  destination: z.string(),
  instanceId: z.string(),
  tags: z.record(z.string(), z.string()),
});

const RULES = {
  create: { method: "POST", path: "/v1/routes" },
  remove: { method: "DELETE", path: "/v1/routes/*" },
};

function seen(made: Made): SeenRoute {
  const { destination, instanceId, tags } = shownSchema.parse(made);
  const providerID = instanceId === "" ? undefined : `sandbox://${instanceId}`;
  return { id: made.id, destination, providerID, owner: routeOwnerOf({ tags }) };
}

function idOf(providerID: string): string {
  return providerID.slice("sandbox://".length);
}

describe("routes against the sandbox cloud", () => {
  let cloud: CloudUnderTest;

  beforeAll(async () => {
    cloud = await CloudUnderTest.open();
  });
  afterEach(() => cloud.reset());
  afterAll(() => cloud.close());

  function plant({ destination, providerID, owner: mark }: ForeignRoute): Promise<string> {
    return cloud.make("/v1/routes", {
      name: "planted",
      destination,
      instanceId: providerID === undefined ? "" : idOf(providerID),
      tags: mark === undefined ? {} : tagsOfRoute(mark),
    });
  }

  async function fill(count: number): Promise<void> {
    await cloud.faults({ quotas: { routes: 10_000 } });
    const numbers = Array.from({ length: count }, (_, index) => index);
    await Promise.all(
      numbers.map((number) =>
        plant({
          destination: `172.16.${Math.floor(number / 256)}.${number % 256}/32`,
          providerID: undefined,
        }),
      ),
    );
  }

  function fixture(): RoutesFixture {
    return {
      provider: "sandbox",
      routes: cloud.routes,
      createMachine: async (name) => `sandbox://${await cloud.makeInstance(name)}`,
      table: async () => (await cloud.list("/v1/routes")).map(seen),
      unknownMachine: "sandbox://i-00000000000000ff",
      removeMachine: async (providerID) =>
        void (await cloud.send("DELETE", `/v1/instances/${idOf(providerID)}`)),
      createForeign: plant,
      removeRoute: async (id) => void (await cloud.send("DELETE", `/v1/routes/${id}`)),
      loseNextAnswer: (action) =>
        cloud.faults({ rules: [{ ...RULES[action], loseResponse: true, times: 1 }] }),
      throttle: (retryAfterMs) =>
        cloud.faulty({ rules: [{ path: "/v1/*", status: 429, retryAfter: retryAfterMs / 1_000 }] }),
      breakCloud: () => cloud.faulty({ rules: [{ path: "/v1/*", status: 503 }] }),
      answerWithoutEnd: (fault) => cloud.proxy.play(fault),
      limitRoutes: (routes) => cloud.faults({ quotas: { routes } }),
      fill,
    };
  }

  // This cloud stores each destination in the only form that it accepts.
  const playable = routeCases.filter(({ needs }) => !needs.includes("otherSpelling"));

  it.each(playable)("as every provider, it $name", async (conformance) => {
    const given = fixture();
    expect(conformance.unmet(given)).toEqual([]);
    await conformance.run(given);
  });

  const requestTo = (target: RouteSpec["target"]): RouteSpec => ({
    owner: { clusterUid: "c-1", objectUid: "u-1", clusterName: "prod", node: target.nodeName },
    destination: "10.120.1.0/24",
    target,
    targetAddresses: [],
  });

  it("writes a route's owner to its tags, and its Node's UID as its name", async () => {
    const providerID = `sandbox://${await cloud.makeInstance("w-1")}`;
    await cloud.routes.create(requestTo({ nodeName: "w-1", providerID }), testContext());
    expect(await cloud.list("/v1/routes")).toMatchObject([
      {
        name: "u-1",
        destination: "10.120.1.0/24",
        instanceId: idOf(providerID),
        tags: {
          "cloudwright.io/cluster": "c-1",
          "cloudwright.io/cluster-name": "prod",
          "cloudwright.io/node-uid": "u-1",
          "cloudwright.io/node": "w-1",
        },
      },
    ]);
  });

  it("truncates a Node's name to the limit of a tag", async () => {
    const nodeName = `w-1.${"a".repeat(200)}`;
    await cloud.makeInstance(nodeName);
    const made = await cloud.routes.create(
      requestTo({ nodeName, providerID: undefined }),
      testContext(),
    );
    expect(made.owner?.node).toBe(nodeName.slice(0, 128));
  });

  it("treats a route that names a cluster but no Node as that cluster's", async () => {
    await cloud.make("/v1/routes", {
      name: "r",
      destination: "10.120.1.0/24",
      instanceId: "",
      tags: { "cloudwright.io/cluster": "c-9" },
    });
    const { routes } = await cloud.routes.list(testContext());
    expect(routes).toMatchObject([{ owner: { clusterUid: "c-9", objectUid: "" } }]);
  });

  it.each(["custom://w-1", "sandbox://anything"])(
    "leads to the machine that has the provider ID %s, and reports it",
    async (providerID) => {
      const id = await cloud.makeInstance("w-1", { providerId: providerID });
      await cloud.makeInstance("w-2");
      const options = requestTo({ nodeName: "w-1", providerID });
      const made = await cloud.routes.create(options, testContext());
      expect(made.target).toEqual({ providerID, nodeName: "w-1" });
      expect(await cloud.list("/v1/routes")).toMatchObject([{ instanceId: id }]);
      expect((await cloud.routes.list(testContext())).routes).toEqual([made]);
    },
  );

  it.each<[string, object, string | undefined]>([
    ["has another provider ID", { providerId: "custom://other" }, "custom://w-1"],
    ["says that it is not for us", { managed: false }, undefined],
  ])("does not lead to a machine that %s", async (_case, more, providerID) => {
    await cloud.makeInstance("w-1", more);
    const target = { nodeName: "w-1", providerID };
    await expect(cloud.routes.create(requestTo(target), testContext())).rejects.toMatchObject({
      code: "NotFound",
    });
    expect(await cloud.list("/v1/routes")).toEqual([]);
  });

  it("reports a machine by its name as well, if no other has it", async () => {
    const providerID = await fixture().createMachine("w-1");
    await plant({ destination: "10.120.1.0/24", providerID });
    const reportedNames = async () => {
      const { routes } = await cloud.routes.list(testContext());
      return routes.map(({ target }) => target.nodeName);
    };
    expect(await reportedNames()).toEqual(["w-1"]);
    await cloud.makeInstance("w-1");
    expect(await reportedNames()).toEqual([undefined]);
  });

  it("does not choose between machines with the same name", async () => {
    await cloud.makeInstance("w-1");
    await cloud.makeInstance("w-1");
    const options = requestTo({ nodeName: "w-1", providerID: undefined });
    await expect(cloud.routes.create(options, testContext())).rejects.toMatchObject({
      code: "Invalid",
      message: expect.stringContaining("2 instances are named w-1"),
    });
  });

  it("reports how full the table is, and lists with one call what fits on a page", async () => {
    await cloud.faults({ quotas: { routes: 9 } });
    const providerID = `sandbox://${await cloud.makeInstance("w-1")}`;
    await cloud.routes.create(requestTo({ nodeName: "w-1", providerID }), testContext());
    const context = testContext();
    const { tables, requestId } = await cloud.routes.list(context);
    expect(tables).toEqual([{ id: "rtb-main", name: "main", used: 1, capacity: 9 }]);
    expect(requestId).toMatch(/^req-/);
    expect(context.calls).toEqual([{ operation: "GET /v1/routes", target: "all", mutates: false }]);
  });
});
