import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../packages/store/testing/database-fixture.ts";
// @ts-expect-error As above.
import { rootFiles } from "../image/root-files.mjs";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject, ROOT, version } from "../lib/project.mjs";
// @ts-expect-error As above.
import { SERVER } from "../setup/build-dashboard.mjs";
// @ts-expect-error As above.
import { writePackage } from "./pack.mjs";

interface Layer {
  readonly files: readonly { readonly path: string; content(): Buffer }[];
}

const run = promisify(execFile);
const isBuilt = existsSync(inProject(SERVER)) || process.env.REQUIRE_REAL === "1";
const children: { readonly child: ChildProcess; readonly ended: Promise<unknown> }[] = [];
const SECRET = "s".repeat(40);

let folder: string;
/** Contains only what npm has installed. */
let home: string;
let tarball: string;
let database: TestServer;

// The dashboard is built by `npm run build`, and by `npm test` before running any tests.
describe.skipIf(!isBuilt)("the npm package, installed into an empty folder", () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "cloudwright-package-"));
    tarball = join(folder, "cloudwright.tgz");
    home = join(folder, "home");
    mkdirSync(home);
    await writePackage(tarball);
    // No registry is contacted: the package has no dependencies.
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], options());
    database = await startTestServer();
  }, 180_000);

  afterAll(async () => {
    for (const { child } of children)
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await Promise.all([database.dispose(), ...children.map(({ ended }) => ended)]);
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it("is one package that contains what it needs", () => {
    const installed = join(home, "node_modules");
    expect(readdirSync(installed).filter((name) => !name.startsWith("."))).toEqual(["cloudwright"]);
    expect(existsSync(join(installed, "cloudwright", "sbom", "cloudwright.cdx.json"))).toBe(true);
  });

  it("contains no path of this machine, no registry's address, no key and no link", async () => {
    const registry = execFileSync("npm", ["config", "get", "registry"], {
      encoding: "utf8",
    }).trim();
    const unpacked = join(home, "node_modules", "cloudwright");
    const { stdout: listed } = await run("tar", ["-tvzf", tarball], { maxBuffer: 1e8 });
    expect(listed.split("\n").filter((line) => /^[lh]/.test(line))).toEqual([]);
    expect(await filesWith(ROOT, unpacked)).toBe("");
    // Third-party packages mention the public registry in their code.
    const { host } = new URL(registry);
    expect(await filesWith(host, unpacked, "--exclude-dir=node_modules")).toBe("");
    const keys = JSON.parse(readFileSync(join(unpacked, PREVIEW), "utf8"));
    for (const key of Object.values(keys)) expect(key).toMatch(/^0+$/);
  });

  it("has exactly the image's files, which therefore contain no path or address of this machine either", () => {
    const [product] = (rootFiles() as Layer[]).slice(-1);
    const unpacked = join(home, "node_modules", "cloudwright");
    const files = (product?.files ?? []).filter(({ path }) => path.startsWith("app/"));
    expect(files.length).toBeGreaterThan(1_000);
    for (const { path, content } of files) {
      const packed = readFileSync(join(unpacked, path.slice("app/".length)));
      expect(content().equals(packed), path).toBe(true);
    }
  });

  it("prints its version", async () => {
    expect(await cloudwright("--version")).toBe(`Cloudwright ${version()}
`);
  });

  it("initialises a node as a controller, and lists its runs", async () => {
    const cloud = await serving<{ endpoint: string; token: string }>([
      ...["sandbox", "cloud", "--state", join(home, "cloud")],
    ]);
    const kubeconfig = join(home, "kubeconfig");
    const cluster = ["--state", join(home, "cluster"), "--kubeconfig", kubeconfig];
    await serving(["sandbox", "cluster", ...cluster]);
    const { endpoint, token } = cloud;
    writeFileSync(
      join(home, "cloud.yaml"),
      `endpoint: ${endpoint}\ntoken: ${token}\nclusterId: ${CLUSTER}\n`,
    );
    start(
      ["sandbox", "kubelets", "--kubeconfig", kubeconfig, "--cloud", endpoint, "--count", "1"],
      { CLOUDWRIGHT_CLOUD_TOKEN: token },
    );
    const spool = join(home, "spool");
    start([
      ...["controller", "--cloud-provider=sandbox", `--cloud-config=${join(home, "cloud.yaml")}`],
      ...[`--kubeconfig=${kubeconfig}`, "--configure-cloud-routes=false", "--secure-port=0"],
      `--spool-dir=${spool}`,
    ]);
    await eventually(async () => {
      const printed = await cloudwright("history", "--spool", spool);
      expect(printed).toMatch(/cloud-node-controller.*changed.*initialised/);
    });
  }, 180_000);

  it("migrates a database, and serves the dashboard, which signs a user in and reads the ledger", async () => {
    const url = await database.empty();
    await cloudwright("migrate", "--database-url", url);
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    start(["dashboard", "--port", String(port), "--database-url", url], {
      CLOUDWRIGHT_AUTH_SECRET: SECRET,
    });
    await eventually(async () => expect((await fetch(`${origin}/healthz`)).status).toBe(200));
    const signIn = await (await fetch(`${origin}/sign-in`)).text();
    expect(signIn).toContain("<title>Sign in · Cloudwright");
    const styles = await fetch(origin + (/\/_next\/static\/[^"]+\.css/.exec(signIn)?.[0] ?? ""));
    expect(styles.headers.get("content-type")).toContain("text/css");
    const link = await cloudwright("sign-in-link", "--database-url", url, "--base-url", origin);
    const cookie = await redeem(origin, new URL(link.trim()).searchParams.get("token") ?? "");
    const page = await fetch(`${origin}/`, { headers: { cookie }, redirect: "manual" });
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain("<title>Sign in");
  }, 180_000);
});

const PREVIEW = "apps/web/.next/standalone/apps/web/.next/server/preview-props.json";
const CLUSTER = "6f3c2a10-0000-4000-8000-000000000001";

/** Returns the paths of files that contain a text, one per line. */
async function filesWith(
  text: string,
  below: string,
  ...flags: readonly string[]
): Promise<string> {
  // grep exits with an error if it finds nothing.
  return await run("grep", ["-rlF", ...flags, text, below]).then(
    ({ stdout }) => stdout,
    ({ code, stderr }) => (code === 1 ? "" : String(stderr)),
  );
}

/** Like a user's shell: the Node that runs this test is the one on the PATH, and no variable of the checkout is set. */
function options(extra: Readonly<Record<string, string>> = {}) {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  return {
    cwd: home,
    maxBuffer: 1e8,
    env: { PATH: path, HOME: home, npm_config_offline: "true", ...extra },
  };
}

async function cloudwright(...args: readonly string[]): Promise<string> {
  const { stdout } = await run("npx", ["cloudwright", ...args], options());
  return stdout;
}

/** In its own process group: npx does not forward signals to what it starts. */
function start(
  args: readonly string[],
  extra: Readonly<Record<string, string>> = {},
): ChildProcess {
  const child = spawn("npx", ["cloudwright", ...args], {
    ...options(extra),
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  children.push({ child, ended: new Promise((done) => child.once("close", done)) });
  return child;
}

/** Starts a command that prints a line of JSON once it serves. */
function serving<Ready>(args: readonly string[]): Promise<Ready> {
  const child = start(args);
  return new Promise((resolve, reject) => {
    child.stdout?.once("data", (line: Buffer) => resolve(JSON.parse(line.toString())));
    child.once("close", () => reject(new Error(`${args.join(" ")} ended`)));
  });
}

/** Returns the session cookie for a sign-in link. */
async function redeem(origin: string, token: string): Promise<string> {
  const answer = await fetch(`${origin}/sign-in/redeem`, {
    method: "POST",
    redirect: "manual",
    headers: { origin },
    body: new URLSearchParams({ token, next: "/" }),
  });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}

/** Retries until it succeeds; the test's own timeout is the limit. */
async function eventually(attempt: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await attempt();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
