import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Provider, ProviderError, type ProviderPlugin } from "@cloudwright/provider-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProvider, loadProvider } from "./load-provider.ts";
import { ProviderLoadError } from "./provider-load-error.ts";

const GOOD = `export const apiVersion = 1;
export const create = (config) => ({ name: "good", hasClusterId: config.text === "id" });`;

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cloudwright-load-"));
  const packages = join(folder, "node_modules");
  await file(join(packages, "cloudwright-provider-plain", "package.json"), {
    name: "cloudwright-provider-plain",
    type: "module",
    main: "main.mjs",
  });
  await file(join(packages, "cloudwright-provider-plain", "main.mjs"), GOOD);
  await file(join(packages, "cloudwright-provider-modern", "package.json"), {
    name: "cloudwright-provider-modern",
    exports: { ".": { import: "./dist/entry.mjs" } },
  });
  await file(join(packages, "cloudwright-provider-modern", "dist", "entry.mjs"), GOOD);
  await file(
    join(folder, "wrapped.mjs"),
    "export const plugin = { apiVersion: 1, create: () => ({ name: 'wrapped', hasClusterId: true }) };",
  );
  await file(
    join(folder, "newer.mjs"),
    "export const apiVersion = 2; export const create = () => ({});",
  );
  await file(join(folder, "stranger.mjs"), "export const hello = 1;");
  await file(join(folder, "no-create.mjs"), "export const apiVersion = 1;");
  await file(join(folder, "broken.mjs"), "throw new Error('missing native part');");
  await file(
    join(folder, "nameless.mjs"),
    "export const apiVersion = 1; export const create = () => ({ hasClusterId: true });",
  );
  await file(
    join(folder, "no-gate.mjs"),
    "export const apiVersion = 1; export const create = () => ({ name: 'x' });",
  );
  await file(
    join(folder, "no-describe.mjs"),
    "export const apiVersion = 1; export const create = () => ({ name: 'x', hasClusterId: true, instances: {} });",
  );
  await file(
    join(folder, "quoting.mjs"),
    "export const apiVersion = 1; export const create = () => { throw new Error('cannot read token=sesame-12345'); };",
  );
  await file(join(folder, "torn", "package.json"), "{ not json");
  await mkdir(join(folder, "deeper", "still"), { recursive: true });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(path: string, content: string | object): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
}

const sandbox: ProviderPlugin = {
  apiVersion: 1,
  create: () => ({ name: "sandbox", hasClusterId: true }),
};
const refusing: ProviderPlugin = {
  apiVersion: 1,
  create: () => {
    const call = { provider: "refusing", operation: "config", field: "endpoint" };
    throw new ProviderError("Invalid", "endpoint is not a URL.", call);
  },
};

function load(name: string, options: { text?: string; from?: string } = {}): Promise<Provider> {
  return loadProvider(optionsOf(name, options));
}

function optionsOf(
  name: string,
  { text = "id", from = folder }: { text?: string; from?: string } = {},
) {
  return {
    name,
    config: { text, path: "cloud.yaml", userAgent: "test" },
    builtIn: new Map([
      ["sandbox", () => Promise.resolve(sandbox)],
      ["refusing", () => Promise.resolve(refusing)],
    ]),
    providerPath: from,
  };
}

describe("loading a provider", () => {
  it.each([
    ["a built-in name", "sandbox", "sandbox"],
    ["a package", "plain", "good"],
    ["a package that only `import` sees", "modern", "good"],
    ["a relative path", "./wrapped.mjs", "wrapped"],
    ["a folder with a manifest", "./node_modules/cloudwright-provider-plain", "good"],
  ])("accepts %s", async (_what, name, expected) => {
    expect((await load(name)).name).toBe(expected);
  });

  it("accepts an absolute path and passes the config on", async () => {
    const path = join(folder, "node_modules", "cloudwright-provider-plain", "main.mjs");
    expect(await load(path, { text: "no id" })).toMatchObject({ hasClusterId: false });
  });

  it("finds packages above the provider path", async () => {
    const from = join(folder, "deeper", "still");
    expect((await load("plain", { from })).name).toBe("good");
    expect((await load("modern", { from })).name).toBe("good");
  });

  it.each([
    ["absent", "unknown", /^Unknown cloud provider absent: no package cloudwright-provider-absent/],
    ["absent", "unknown", /built in are sandbox, refusing/],
    ["./absent.mjs", "unknown", /absent\.mjs does not exist/],
    ["./newer.mjs", "incompatible", /written for API version 2, and this is 1/],
    ["./stranger.mjs", "incompatible", /exports no `apiVersion`/],
    ["./no-create.mjs", "incompatible", /exports no function `create`/],
    ["./nameless.mjs", "incompatible", /returned no provider name/],
    ["./no-gate.mjs", "incompatible", /has no `hasClusterId`/],
    ["./no-describe.mjs", "incompatible", /`instances` have no `describe`/],
    ["./broken.mjs", "failed", /cannot be loaded: missing native part/],
    ["./torn", "failed", /cannot be loaded: .*JSON/],
    ["./quoting.mjs", "failed", /failed to start.*: cannot read token=\*\*\*$/],
    ["refusing", "failed", /failed to start with cloud\.yaml: endpoint is not a URL\.$/],
  ])("explains in a sentence why %s is %s", async (name, kind, message) => {
    const error = await load(name).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProviderLoadError);
    expect(error).toMatchObject({ kind, message: expect.stringMatching(message) });
  });
});

describe("finding a provider", () => {
  const find = (name: string, executables: Readonly<Record<string, string>>) =>
    findProvider({ ...optionsOf(name), findExecutable: (each) => executables[each] });

  it("falls back to an executable if there is neither a built-in provider nor a package", async () => {
    const executables = { aws: "/bin/aws", sandbox: "/bin/sandbox", plain: "/bin/plain" };
    expect(await find("aws", executables)).toEqual({ kind: "executable", path: "/bin/aws" });
    expect(await find("sandbox", executables)).toMatchObject({ kind: "loaded" });
    expect(await find("plain", executables)).toMatchObject({ provider: { name: "good" } });
  });

  it("never runs an executable in place of a path, or of a package that is broken", async () => {
    const every = { "./torn": "/bin/torn", "./absent.mjs": "/bin/absent" };
    await expect(find("./torn", every)).rejects.toMatchObject({ kind: "failed" });
    await expect(find("./absent.mjs", every)).rejects.toMatchObject({ kind: "unknown" });
  });

  it("names where it looked when nothing has the name", async () => {
    await expect(find("absent", {})).rejects.toMatchObject({
      kind: "unknown",
      message: expect.stringMatching(/no executable of that name is in .* or on the PATH/),
    });
  });
});
