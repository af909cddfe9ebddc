import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ControllerProcess, eventually, startController } from "./controller-process.ts";
import { cloudwrightProgram } from "./program.ts";
import { type ServedCluster, ServingCommands } from "./sandbox-cluster.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PAGE = readFileSync(join(ROOT, "docs/providers.md"), "utf8");
const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";
const run = promisify(execFile);

let folder: string;
let tarball: string;
let packed: readonly string[];

beforeAll(async () => {
  await cloudwrightProgram();
  folder = mkdtempSync(join(tmpdir(), "cloudwright-providers-page-"));
  const { stdout } = await run(
    "npm",
    ["pack", "--json", "--pack-destination", folder, join(ROOT, "packages/provider-api")],
    { cwd: folder },
  );
  const [{ filename, files }] = JSON.parse(stdout);
  tarball = join(folder, filename);
  packed = files.map(({ path }: { readonly path: string }) => path);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("packs JavaScript with types, and nothing that users do not need", () => {
  expect(packed).toEqual(
    expect.arrayContaining(
      ["index", "http/index", "kit/index"].flatMap((name) => [
        `dist/${name}.js`,
        `dist/${name}.d.ts`,
      ]),
    ),
  );
  const others = packed.filter((path) => !/^dist\/[\w/-]+(\.js|\.d\.ts)$/.test(path));
  expect(others.sort()).toEqual([
    ...["LICENSE", "README.md", "package.json"],
    ...["index.js", "inventory.js", "kit.test.js", "package.json"].map(
      (file) => `template/${file}`,
    ),
  ]);
  expect(packed.filter((path) => /^dist.*test/.test(path))).toEqual([]);
});

describe("outside of the checkout, from docs/providers.md and what is packed alone,", () => {
  const commands = new ServingCommands();
  const started: ControllerProcess[] = [];
  let lab: string;
  let rack: string;
  let cluster: ServedCluster;

  beforeAll(async () => {
    lab = await copyTemplate();
    rack = writeProvider("rack", "A provider in TypeScript");
    for (const provider of [lab, rack]) await install(provider, tarball);
    // As installed by `npm install typescript @types/node`.
    mkdirSync(join(rack, "node_modules/@types"), { recursive: true });
    for (const types of ["@types/node", "undici-types"]) {
      symlinkSync(join(ROOT, "node_modules", types), join(rack, "node_modules", types));
    }
    await compile();
    mkdirSync(join(folder, "providers"));
    writeFileSync(join(folder, "providers/package.json"), "{}");
    await install(join(folder, "providers"), lab, rack);
    cluster = await commands.cluster(folder);
  });

  afterEach(async () => {
    for (const { child } of started) child.kill("SIGKILL");
    await Promise.all(started.splice(0).map(({ ended }) => ended));
  });
  afterAll(() => commands.end());

  it("the template is a provider in fewer than 200 lines that passes every case of its kit", async () => {
    expect(readFileSync(join(lab, "index.js"), "utf8").split("\n").length).toBeLessThan(200);
    const { pass, fail, skipped } = await runTests(lab, "kit.test.js");
    expect({ fail, skipped }).toEqual({ fail: 0, skipped: 0 });
    expect(pass).toBeGreaterThan(20);
  });

  it("a provider in TypeScript passes all kits, and leaves out only what its fixtures do not offer", async () => {
    const { pass, fail } = await runTests(rack, "dist/rack.test.js");
    expect(fail).toBe(0);
    expect(pass).toBeGreaterThan(70);
  });

  it("the types pass the compiler's checks for a library, together with undici", async () => {
    const undici = join(rack, "node_modules/undici");
    symlinkSync(join(ROOT, "node_modules/undici"), undici);
    await compile("--skipLibCheck", "false", "--noEmit");
    rmSync(undici);
  });

  it("the controller serves a node of each, by its package's name", async () => {
    const { startInventory, addMachine } = await import(
      pathToFileURL(join(lab, "inventory.js")).href
    );
    const inventory = await startInventory();
    addMachine(inventory.machines, "l-1");
    await serveNode({ name: "l-1", provider: "lab", config: { endpoint: inventory.endpoint } });
    const machines = [{ name: "r-1", address: "10.0.0.7" }];
    await serveNode({ name: "r-1", provider: "rack", config: { machines } });
    await inventory.close();
  });

  interface Served {
    readonly name: string;
    readonly provider: string;
    readonly config: object;
  }

  async function serveNode({ name, provider, config }: Served): Promise<void> {
    const nodes = `${cluster.server}/api/v1/nodes`;
    const taints = [{ key: UNINITIALIZED, effect: "NoSchedule" }];
    const { token } = cluster;
    const body = { metadata: { name }, spec: { taints } };
    await commands.send("POST", { url: nodes, token, body });
    const file = join(folder, `${provider}.json`);
    writeFileSync(file, JSON.stringify(config));
    const controller = await startController([
      `--cloud-provider=${provider}`,
      `--provider-path=${join(folder, "providers")}`,
      `--cloud-config=${file}`,
      `--kubeconfig=${join(folder, "kubeconfig")}`,
      "--configure-cloud-routes=false",
      "--leader-elect=false",
    ]);
    started.push(controller);
    const node = await eventually(
      async () => JSON.stringify(await commands.send("GET", { url: `${nodes}/${name}`, token })),
      (text) => text.includes("providerID") && !text.includes(UNINITIALIZED),
    );
    expect(JSON.parse(node).spec.providerID).toMatch(new RegExp(`^${provider}://`));
    controller.child.kill("SIGTERM");
    await controller.ended;
  }

  async function compile(...options: readonly string[]): Promise<void> {
    await run(join(ROOT, "node_modules/.bin/tsc"), ["-p", rack, ...options]);
  }
});

/** Copies the template from the installed package, as an author would. Returns the folder. */
async function copyTemplate(): Promise<string> {
  const author = join(folder, "author");
  mkdirSync(author);
  writeFileSync(join(author, "package.json"), "{}");
  await install(author, tarball);
  const target = join(folder, "cloudwright-provider-lab");
  const template = join(author, "node_modules/@cloudwright/provider-api/template");
  cpSync(template, target, { recursive: true });
  return target;
}

/** Writes the files shown in a section of the page as a provider; returns the folder. */
function writeProvider(name: string, section: string): string {
  const target = join(folder, `cloudwright-provider-${name}`);
  const [, text = ""] = PAGE.split(new RegExp(`^## ${section}$`, "m"));
  const [own = ""] = text.split(/^## /m);
  for (const [, path = "", content = ""] of own.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm)) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), content);
  }
  return target;
}

/** Installs offline: the package needs nothing from a registry. */
async function install(into: string, ...what: readonly string[]): Promise<void> {
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...what], { cwd: into });
}

async function runTests(cwd: string, file: string): Promise<Record<string, number>> {
  // A nested test runner would report in another format, so it must not see these variables.
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: _options, ...env } = process.env;
  const { stdout } = await run(process.execPath, ["--test", "--test-reporter=tap", file], {
    cwd,
    env,
  }).catch((error: { readonly stdout: string }) => error);
  const counts = [...stdout.matchAll(/^# (pass|fail|skipped) (\d+)$/gm)];
  return Object.fromEntries(counts.map(([, kind = "", count]) => [kind, Number(count)]));
}
