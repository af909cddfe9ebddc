import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, freePort } from "./controller-process.ts";
import { runnablePages, runPage } from "./page-blocks.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const STARTED = runnablePages("start");
const TOOLS = ["bash", "curl", "jq", "kubectl"];
const missing = TOOLS.filter((tool) => !isThere(tool));

it("pages have runnable blocks", () => {
  expect(STARTED.map(({ page }) => page)).toEqual(
    expect.arrayContaining(["docs/plan.md", "docs/doctor.md", "docs/sandbox.md", "docs/ledger.md"]),
  );
  expect(STARTED.reduce((sum, { blocks }) => sum + blocks, 0)).toBeGreaterThan(12);
});

describe.skipIf(missing.length > 0)(`beside a running npm start${lacking(missing)}`, () => {
  let folder: string;
  let start: ChildProcess;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "cloudwright-pages-"));
    const port = String(await freePort());
    start = spawn(
      process.execPath,
      [join(ROOT, "scripts/start.mjs"), "--nodes", "3", "--port", port],
      { cwd: folder, stdio: ["ignore", "inherit", "inherit"], env: withoutDatabase() },
    );
    const ended = new Promise<never>((_, reject) => {
      start.once("close", (code) => reject(new Error(`npm start ended with ${code}`)));
    });
    await Promise.race([
      ended,
      eventually(nodes, (all) => all.length === 3 && all.every(isServed)),
    ]);
  }, 600_000);

  afterAll(async () => {
    const ended = new Promise((done) => void start.once("close", done));
    start.kill("SIGINT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(STARTED.map((page) => [page.page, page] as const))("%s", async (_name, page) => {
    const env = { KUBECONFIG: join(folder, ".cloudwright/kubeconfig") };
    expect(await runPage(page, { folder, env })).not.toBe("");
  });

  interface SeenNode {
    readonly spec: { readonly podCIDR?: string; readonly taints?: readonly unknown[] };
  }

  async function nodes(): Promise<readonly SeenNode[]> {
    const data = join(folder, ".cloudwright");
    if (!existsSync(join(data, "endpoints.json"))) return [];
    const args = ["--kubeconfig", join(data, "kubeconfig"), "get", "nodes", "-o", "json"];
    const { stdout } = await promisify(execFile)("kubectl", args);
    return JSON.parse(stdout).items;
  }

  function isServed({ spec }: SeenNode): boolean {
    return spec.podCIDR !== undefined && spec.taints === undefined;
  }
});

/** PostgreSQL from the distribution, all programs of one version: npm's package has no pg_dump. */
const INSTALLED = ["/usr/lib/postgresql", "/usr/local/lib/postgresql"]
  .flatMap((root) =>
    existsSync(root) ? readdirSync(root).map((version) => join(root, version, "bin")) : [],
  )
  .filter((bin) =>
    ["initdb", "postgres", "pg_dump", "createdb"].every((program) =>
      existsSync(join(bin, program)),
    ),
  )
  .at(-1);

describe.skipIf(INSTALLED === undefined || !isThere("bash"))(
  `with a database alone${INSTALLED === undefined ? ": no PostgreSQL with pg_dump is installed" : ""}`,
  () => {
    const bin = INSTALLED ?? "";
    let folder: string;
    let data: string;
    let server: ChildProcess;
    let env: Readonly<Record<string, string>>;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "cloudwright-backup-"));
      chmodSync(folder, 0o755);
      const account = accountOfServer();
      data = mkdtempSync(join(tmpdir(), "cloudwright-backup-data-"));
      if (account !== undefined) execFileSync("chown", [`${account.uid}:${account.gid}`, data]);
      execFileSync(join(bin, "initdb"), ["-D", data, "-A", "trust", "-U", "owner", "-E", "UTF8"], {
        ...account,
        cwd: "/",
        stdio: "ignore",
      });
      const port = String(await freePort());
      const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
      server = spawn(
        join(bin, "postgres"),
        ["-D", data, "-p", port, ...settings.flatMap((each) => ["-c", each])],
        { ...account, cwd: "/", stdio: "ignore" },
      );
      const url = `postgresql://owner@127.0.0.1:${port}`;
      env = { DATABASE_URL: `${url}/ledger`, PATH: `${bin}:${process.env.PATH}` };
      const create = () =>
        promisify(execFile)(join(bin, "createdb"), [
          "--maintenance-db",
          `${url}/postgres`,
          "ledger",
        ]);
      await eventually(create, () => true);
      await run("cloudwright migrate && cloudwright sign-in-link --base-url http://localhost:3000");
    });

    afterAll(async () => {
      const ended = new Promise((done) => void server.once("close", done));
      server.kill("SIGINT");
      await ended;
      for (const each of [folder, data]) rmSync(each, { recursive: true, force: true });
    });

    it("docs/backup.md restores a ledger unchanged", async () => {
      const [backup] = runnablePages("database");
      await run(backup?.script ?? "");
      const entries = "cloudwright audit --cluster accounts --output json --database-url";
      const [before, after] = await Promise.all(
        [env.DATABASE_URL ?? "", (env.DATABASE_URL ?? "").replace(/ledger$/, "restored")].map(
          (url) => run(`${entries} ${url}`),
        ),
      );
      expect(before).toContain("operator@localhost");
      expect(after).toBe(before);
      expect(JSON.parse(readFileSync(join(folder, "roles.json"), "utf8")).web).toContain(
        "/restored",
      );
    });

    function run(script: string): Promise<string> {
      return runPage({ page: "", surroundings: "database", blocks: 1, script }, { folder, env });
    }
  },
);

/** PostgreSQL refuses to run as root. */
function accountOfServer(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ["-u", "-g"].map((flag) => Number(execFileSync("id", [flag, "postgres"])));
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

function withoutDatabase(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _url, ...env } = process.env;
  return env;
}

function isThere(tool: string): boolean {
  return (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, tool)));
}

function lacking(tools: readonly string[]): string {
  return tools.length === 0 ? "" : `, for which this machine lacks ${tools.join(", ")}`;
}
