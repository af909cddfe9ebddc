import {
  ENDLESS_FAULTS,
  type InstancesFixture,
  instancesCases,
} from "@cloudwright/provider-api/kit";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createCloudClient } from "./cloud-client.ts";
import { createInstances } from "./instances.ts";
import { type ScriptedAnswer, startScriptedCloud, testContext } from "./testing/scripted-cloud.ts";

type Endless = (typeof ENDLESS_FAULTS)[number];

const MAX_BYTES = 1_048_576;
const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

function instance(name: string) {
  const id = `i-${name.replace(/\D/g, "").padStart(16, "0")}`;
  const addresses = [{ type: "InternalIP", address: "10.0.0.1" }];
  const place = { region: "r1", zone: "z1" };
  return {
    ...{ id, name, state: "running", type: "m1", ...place, addresses, labels: {}, managed: true },
  };
}

/** Returns how an endless cloud answers the request with this number. */
function endless(fault: Endless, item: object | undefined, number: number): ScriptedAnswer {
  const items = item === undefined ? [] : [item];
  switch (fault) {
    case "huge":
      return { body: { items, filler: "x".repeat(MAX_BYTES) } };
    case "deep":
      return { text: DEEP };
    case "endlessPages":
      return { body: { items, next: `cursor-${number}` } };
    case "sameCursor":
      return { body: { items, next: "cursor" } };
  }
}

async function opened() {
  const names: string[] = [];
  let fault: Endless | undefined;
  let requests = 0;
  const cloud = await startScriptedCloud((url) => {
    requests += 1;
    const item = url.pathname === "/v1/instances" ? instance("w-9") : undefined;
    if (fault !== undefined) return endless(fault, item, requests);
    const asked = url.searchParams.getAll("name");
    const items = names.filter((name) => asked.length === 0 || asked.includes(name)).map(instance);
    return { body: { items, next: null } };
  });
  const client = createCloudClient(
    { endpoint: cloud.endpoint, token: "t0ken-of-test", maxAnswerBytes: MAX_BYTES },
    "test",
  );
  onTestFinished(async () => {
    await client.close();
    await cloud.close();
  });
  const play = (next: Endless) => async () => {
    fault = next;
    return async () => {
      fault = undefined;
    };
  };
  return { cloud, client, names, play };
}

async function fixture(): Promise<InstancesFixture> {
  const { client, names, play } = await opened();
  return {
    provider: "sandbox",
    instances: createInstances(client),
    create: async (name) => {
      names.push(name);
      return `sandbox://${instance(name).id}`;
    },
    remove: async () => undefined,
    faults: Object.fromEntries(ENDLESS_FAULTS.map((fault) => [fault, play(fault)])),
  };
}

const cases = instancesCases.filter(({ needs }) =>
  needs.some((need) => (ENDLESS_FAULTS as readonly string[]).includes(need)),
);

it.each(cases)("as every provider, $name", async (conformance) => {
  await conformance.run(await fixture());
});

const WRITE = {
  operation: "POST /v1/routes",
  target: "r-1",
  path: "/v1/routes",
  method: "POST",
  shape: z.unknown(),
} as const;

it("says of an answer that is too large that it is too large, and where", async () => {
  const { client, play } = await opened();
  await play("huge")();
  await expect(client.write(testContext(), WRITE)).rejects.toMatchObject({
    code: "OutOfBounds",
    message:
      "the answer is larger than 1 MiB and was not used; check what is between this process and the cloud",
    call: { operation: "POST /v1/routes", status: 200, requestId: "req-1" },
  });
});

it("identifies a refusal by its status if it is longer than the limit", async () => {
  const cloud = await startScriptedCloud(() => ({
    status: 429,
    headers: { "retry-after": "3" },
    body: { error: { code: "throttled", message: "x".repeat(1_100_000) } },
  }));
  const client = createCloudClient({ endpoint: cloud.endpoint, token: "t0ken-of-test" }, "test");
  onTestFinished(async () => {
    await client.close();
    await cloud.close();
  });
  await expect(client.read(testContext(), WRITE)).rejects.toMatchObject({
    code: "Throttled",
    message: "the cloud answered 429 without saying why",
    call: { retryAfterMs: 3_000 },
  });
});
