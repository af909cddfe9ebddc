import { isProviderError } from "@cloudwright/provider-api";
import { describe, expect, it, test } from "vitest";
import { readConfig } from "./config.ts";
import { plugin } from "./plugin.ts";

const SECRET = "s3cret-token";
const GOOD = `endpoint: http://127.0.0.1:8080/\ntoken: ${SECRET}\n`;

function read(text: string | undefined) {
  return readConfig({ text, path: "/etc/cloud.yaml", userAgent: "test" });
}

function refusalOf(text: string | undefined): { message: string; field: string | undefined } {
  try {
    read(text);
  } catch (error) {
    if (isProviderError(error) && error.code === "Invalid") {
      return { message: error.message, field: error.call.field };
    }
    throw error;
  }
  throw new Error("the config was accepted");
}

describe("a good config", () => {
  it("has every capability unless it says otherwise", () => {
    expect(read(GOOD)).toEqual({
      endpoint: "http://127.0.0.1:8080",
      token: SECRET,
      maxAnswerBytes: 67_108_864,
      capabilities: {
        instances: true,
        zones: true,
        loadBalancers: true,
        routes: true,
        volumes: true,
      },
    });
    expect(read(`${GOOD}capabilities: {zones: false}`).capabilities).toMatchObject({
      instances: true,
      zones: false,
    });
  });

  it("creates a provider with the capabilities that it lists", async () => {
    const create = (text: string) => plugin.create({ text, path: undefined, userAgent: "test" });
    const all = await create(`${GOOD}clusterId: c1`);
    expect([all.name, all.hasClusterId, all.instances !== undefined]).toEqual([
      "sandbox",
      true,
      true,
    ]);
    const none = await create(`${GOOD}capabilities: {instances: false}`);
    expect([none.hasClusterId, none.instances]).toEqual([false, undefined]);
    await all.close?.();
    await none.close?.();
  });
});

test.each(["instances", "zones", "loadBalancers", "routes", "volumes"] as const)(
  "the provider has %s unless the config takes it away, and nothing else with it",
  async (capability) => {
    const create = (text: string) => plugin.create({ text, path: undefined, userAgent: "test" });
    const all = await create(GOOD);
    const without = await create(`${GOOD}capabilities: {${capability}: false}`);
    expect(all[capability]).toBeDefined();
    expect(without[capability]).toBeUndefined();
    expect(Object.keys(all).filter((key) => !(key in without))).toEqual([capability]);
    await all.close?.();
    await without.close?.();
  },
);

test.each([
  ["an answer without a size", `${GOOD}maxAnswerBytes: 0`, "maxAnswerBytes"],
  ["no endpoint", `token: ${SECRET}`, "endpoint"],
  ["an endpoint that is no URL", `endpoint: cloud\ntoken: ${SECRET}`, "endpoint"],
  ["an endpoint of another protocol", `endpoint: ftp://cloud\ntoken: ${SECRET}`, "endpoint"],
  ["no token", "endpoint: http://cloud", "token"],
  ["an empty token", 'endpoint: http://cloud\ntoken: ""', "token"],
  ["a field that there is not", `${GOOD}regoin: r1`, "regoin"],
  ["a capability that there is not", `${GOOD}capabilities: {dns: true}`, "capabilities.dns"],
  ["a capability that is no yes or no", `${GOOD}capabilities: {zones: 1}`, "capabilities.zones"],
  ["a list", "- a", "(document)"],
  ["nothing", "", "(document)"],
])("%s is refused by the field's name", (_case, text, field) => {
  const { message, field: named } = refusalOf(text);
  expect(named).toBe(field);
  expect(message).toContain(`The field ${field} of /etc/cloud.yaml is not valid`);
  expect(message).not.toContain(SECRET);
});

test("invalid YAML is refused with its line number, without its text", () => {
  const { message } = refusalOf(`endpoint: http://cloud\ntoken: "${SECRET}\n`);
  expect(message).toContain("/etc/cloud.yaml is not valid YAML");
  expect(message).not.toContain(SECRET);
});

test("a missing config is refused with a hint how to give one", () => {
  expect(refusalOf(undefined).message).toContain("--cloud-config");
});
