import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Instances, instanceKey } from "@cloudwright/provider-api";
import {
  type CloudFault,
  ENDLESS_FAULTS,
  type InstancesFixture,
  type InstancesNeed,
  instancesCases,
} from "@cloudwright/provider-api/kit";
import { type RunningCloud, startCloud } from "@cloudwright/sandbox/cloud/start-cloud";
import { request } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { plugin } from "../src/plugin.ts";
import { testContext } from "../src/testing/scripted-cloud.ts";

const createdSchema = z.object({ id: z.string(), addresses: z.array(z.unknown()) });

describe("against the sandbox cloud", () => {
  let dir: string;
  let cloud: RunningCloud;
  let instances: Instances;
  let close: () => Promise<void>;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "cloudwright-provider-"));
    cloud = await startCloud({ listen: "127.0.0.1:0", stateFile: join(dir, "cloud") });
    const text = `endpoint: ${cloud.endpoint}\ntoken: ${cloud.token}\n`;
    const provider = await plugin.create({ text, path: undefined, userAgent: "test" });
    if (provider.instances === undefined) throw new Error("the provider has no instances");
    instances = provider.instances;
    close = async () => provider.close?.();
  });
  afterEach(() => send("POST", `${cloud.admin}/admin/reset`));
  afterAll(async () => {
    await close();
    await cloud.close();
    await rm(dir, { recursive: true, force: true });
  });

  async function send(
    method: "POST" | "PUT" | "PATCH" | "DELETE",
    url: string,
    body?: unknown,
  ): Promise<unknown> {
    const answer = await request(url, {
      method,
      headers: { authorization: `Bearer ${cloud.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  async function create(name: string, more: object = {}): Promise<string> {
    return createdSchema.parse(
      await send("POST", `${cloud.endpoint}/v1/instances`, { name, ...more }),
    ).id;
  }

  async function lookUp(nodeName: string, providerID?: string) {
    const ref = { nodeName, providerID };
    const answers = await instances.describe([ref], { mode: "single" }, testContext());
    return answers.get(instanceKey(ref));
  }

  it("finds an instance by name and by provider ID with the same facts", async () => {
    const id = await create("n1", {
      type: "m1",
      zone: "z1",
      region: "r1",
      labels: { "my.io/a": "1" },
    });
    const byName = await lookUp("n1");
    expect(byName).toMatchObject({
      kind: "found",
      requestId: expect.any(String),
      facts: {
        providerID: `sandbox://${id}`,
        type: "m1",
        zone: "z1",
        region: "r1",
        additionalLabels: { "my.io/a": "1" },
        power: "running",
      },
    });
    expect(await lookUp("other", `sandbox://${id}`)).toMatchObject({
      kind: "found",
      facts: { name: "n1" },
    });
  });

  it("proves that a deleted instance is absent, both among others and as the last one", async () => {
    const [gone, other] = [await create("n1"), await create("n2")];
    await send("DELETE", `${cloud.endpoint}/v1/instances/${gone}`);
    expect(await lookUp("n1", `sandbox://${gone}`)).toMatchObject({
      kind: "absent",
      proof: { by: "providerID", cloudShowsOthers: true },
    });
    await send("DELETE", `${cloud.endpoint}/v1/instances/${other}`);
    expect(await lookUp("n1", `sandbox://${gone}`)).toMatchObject({
      kind: "absent",
      proof: { cloudShowsOthers: false },
    });
  });

  it("treats an injected not_found for one instance as its absence", async () => {
    const id = await create("n1");
    await create("n2");
    await send("PUT", `${cloud.admin}/admin/faults`, {
      rules: [
        { path: "/v1/instances*", instance: "n1", status: 404 },
        { path: "/v1/instances/*", instance: "n1", status: 404 },
      ],
    });
    expect(await lookUp("n1", `sandbox://${id}`)).toMatchObject({
      kind: "absent",
      proof: { cloudShowsOthers: true },
    });
  });

  it("reflects power, overrides and disowning", async () => {
    const id = await create("n1");
    await send("POST", `${cloud.endpoint}/v1/instances/${id}/stop`);
    await send("PATCH", `${cloud.endpoint}/v1/instances/${id}`, { providerId: "", zone: "" });
    expect(await lookUp("n1")).toMatchObject({
      kind: "found",
      facts: { providerID: undefined, zone: "", power: "stopped" },
    });
    await send("PATCH", `${cloud.endpoint}/v1/instances/${id}`, { managed: false });
    expect(await lookUp("n1")).toEqual({ kind: "unclaimed" });
  });

  it("finds 300 instances in two calls, and all but one if that one's reads fail", async () => {
    const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
    const refs = await Promise.all(
      names.map(async (nodeName) => ({
        nodeName,
        providerID: `sandbox://${await create(nodeName)}`,
      })),
    );
    const context = testContext();
    const answers = await instances.describe(refs, { mode: "batch" }, context);
    expect([...answers.values()].filter(({ kind }) => kind === "found")).toHaveLength(300);
    expect(context.calls).toHaveLength(2);
    const rules = ["/v1/instances", "/v1/instances/*"].map((path) => ({
      path,
      instance: "n42",
      status: 500,
    }));
    await send("PUT", `${cloud.admin}/admin/faults`, { rules });
    const faulty = await instances.describe(refs, { mode: "batch" }, testContext());
    expect(
      [...faulty].filter(([, { kind }]) => kind !== "found").map(([key, { kind }]) => [key, kind]),
    ).toEqual([[`id:${refs[42]?.providerID}`, "failed"]]);
  });

  it("passes on how long throttling asks to wait", async () => {
    await create("n1");
    await send("PUT", `${cloud.admin}/admin/faults`, {
      rules: [{ path: "/v1/instances*", status: 429, retryAfter: 3 }],
    });
    expect(await lookUp("n1")).toMatchObject({
      kind: "failed",
      error: { code: "Throttled", call: { retryAfterMs: 3_000 } },
    });
  });

  type Playable = Exclude<CloudFault, "garbage" | (typeof ENDLESS_FAULTS)[number]>;
  const FAULTS: Record<Playable, object> = {
    unavailable: { status: 503 },
    unauthorized: { status: 401 },
    throttled: { status: 429, retryAfter: 1 },
    nothingFound: { status: 404 },
  };

  function fault(kind: keyof typeof FAULTS) {
    return async () => {
      const rules = ["/v1/instances", "/v1/instances/*"].map((path) => ({ path, ...FAULTS[kind] }));
      await send("PUT", `${cloud.admin}/admin/faults`, { rules });
      return async () => void (await send("PUT", `${cloud.admin}/admin/faults`, { rules: [] }));
    };
  }

  function fixture(): InstancesFixture {
    const ids = new Map<string, string>();
    const urlOf = (name: string) => `${cloud.endpoint}/v1/instances/${ids.get(name)}`;
    return {
      provider: "sandbox",
      instances,
      create: async (name) => {
        const id = await create(name);
        ids.set(name, id);
        return `sandbox://${id}`;
      },
      remove: async (name) => void (await send("DELETE", urlOf(name))),
      stop: async (name) => void (await send("POST", `${urlOf(name)}/stop`)),
      malformedProviderID: "sandbox://",
      faults: {
        unavailable: fault("unavailable"),
        unauthorized: fault("unauthorized"),
        throttled: fault("throttled"),
        nothingFound: fault("nothingFound"),
      },
    };
  }

  /** This cloud never answers garbage or endlessly; the scripted ones in the provider's own tests do. */
  const unplayable: readonly InstancesNeed[] = ["garbage", ...ENDLESS_FAULTS];
  const playable = instancesCases.filter(({ needs }) =>
    needs.every((need) => !unplayable.includes(need)),
  );
  it.each(playable)("as every provider, $name", async (conformance) => {
    const given = fixture();
    expect(conformance.unmet(given)).toEqual([]);
    await conformance.run(given);
  });
});
