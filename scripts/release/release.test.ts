import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { whereHelmIs } from "../helm.mjs";
// @ts-expect-error As above.
import { copyCheckout } from "../lib/copy-checkout.mjs";
// @ts-expect-error As above.
import { inProject, version } from "../lib/project.mjs";
// @ts-expect-error As above.
import { runtime } from "../lib/runtime.mjs";
// @ts-expect-error As above.
import { SERVER, STANDALONE } from "../setup/build-dashboard.mjs";
// @ts-expect-error As above.
import { releaseProblems, tagRelease } from "./check-release.mjs";

const run = promisify(execFile);
const VERSION: string = version();
const API_VERSION: string = JSON.parse(
  readFileSync(inProject("packages/provider-api/package.json"), "utf8"),
).version;

let folder: string;

function git(...args: readonly string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.test"];
  return execFileSync("git", [...who, ...args], { cwd: folder, encoding: "utf8" }).trim();
}

function write(path: string, content: string | object): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(
    join(folder, path),
    typeof content === "string" ? content : JSON.stringify(content),
  );
}

function commitAll(): void {
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Everything");
}

describe("a checkout that is to be released", () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cloudwright-release-"));
    const dependencies = { "@cloudwright/core": "1.2.3", zod: "4.0.0" };
    const api = { name: "@cloudwright/provider-api", version: "1.0.0" };
    write("package.json", { name: "cloudwright", version: "1.2.3" });
    write("apps/a/package.json", { name: "@cloudwright/a", version: "1.2.3", dependencies });
    write("packages/core/package.json", { name: "@cloudwright/core", version: "1.2.3" });
    write("packages/provider-api/package.json", api);
    write("package-lock.json", {
      packages: {
        "": { version: "1.2.3" },
        "apps/a": { version: "1.2.3" },
        "packages/core": { version: "1.2.3" },
        "packages/provider-api": { version: "1.0.0" },
        "node_modules/zod": { version: "4.0.0" },
      },
    });
    write("deploy/chart/Chart.yaml", "version: 1.2.3\nappVersion: 1.2.3\n");
    write(
      "CHANGELOG.md",
      "# Changelog\n\n## 1.2.3 (2026-11-24)\n\n- A.\n\n## 1.2.2 (2026-01-01)\n",
    );
    commitAll();
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is ready if it is main, committed, and of one version everywhere", () => {
    expect(releaseProblems("1.2.3", folder)).toEqual([]);
  });

  it.each<[string, () => void, RegExp]>([
    ["another branch", () => void git("switch", "--quiet", "-c", "x"), /^This is x: .* of main\.$/],
    [
      "a file that is not committed",
      () => write("new", "x"),
      /^Files are not committed:\n\?\? new$/,
    ],
    ["a tag that is there", () => void git("tag", "v1.2.3"), /^The tag v1\.2\.3 is there already/],
    [
      "a package of another version",
      () => edit("packages/core/package.json", "1.2.3", "1.2.2"),
      /^The version of packages\/core\/package\.json is 1\.2\.2: it must be 1\.2\.3\.$/,
    ],
    [
      "a package that depends on another version",
      () =>
        edit("apps/a/package.json", '"@cloudwright/core":"1.2.3"', '"@cloudwright/core":"1.2.2"'),
      /^@cloudwright\/core in apps\/a\/package\.json is 1\.2\.2/,
    ],
    [
      "a lock file of another version",
      () => edit("package-lock.json", '"apps/a":{"version":"1.2.3"', '"apps/a":{"version":"1.2.2"'),
      /^The version of "apps\/a" in package-lock\.json is 1\.2\.2/,
    ],
    [
      "a chart of another version",
      () => edit("deploy/chart/Chart.yaml", "appVersion: 1.2.3", "appVersion: 1.2.2"),
      /^appVersion of deploy\/chart\/Chart\.yaml is 1\.2\.2/,
    ],
    [
      "no section in the changelog",
      () => edit("CHANGELOG.md", "## 1.2.3 (2026-11-24)", "## Unreleased (1.2.3)"),
      /^CHANGELOG\.md has no section "## 1\.2\.3 \(YYYY-MM-DD\)"/,
    ],
    [
      "a section without a change",
      () => edit("CHANGELOG.md", "- A.\n", ""),
      /^The section of 1\.2\.3 in CHANGELOG\.md lists no change\.$/,
    ],
  ])("is refused for %s", (_, make, sentence) => {
    make();
    const problems: readonly string[] = releaseProblems("1.2.3", folder);
    expect(problems.filter((problem) => sentence.test(problem))).toHaveLength(1);
  });

  it("gets an annotated tag, and then no other one", () => {
    git("config", "user.name", "Test");
    git("config", "user.email", "test@example.test");
    tagRelease("1.2.3", folder);
    expect(git("cat-file", "-t", "v1.2.3")).toBe("tag");
    expect(git("rev-parse", "v1.2.3^{commit}")).toBe(git("rev-parse", "HEAD"));
    expect(() => tagRelease("1.2.3", folder)).toThrow();
  });

  it("is refused for an invalid version, before anything else", () => {
    expect(releaseProblems("v1.2", folder)).toEqual([
      '"v1.2" is no version: give one such as 1.2.3.',
    ]);
  });

  function edit(path: string, from: string, to: string): void {
    const text = readFileSync(join(folder, path), "utf8");
    expect(text).toContain(from);
    write(path, text.replace(from, to));
    git("commit", "--quiet", "--all", "--message", path);
  }
});

const canBuild = existsSync(inProject(SERVER)) && process.platform === "linux";

/** Takes a minute, so it runs only once, although the scripts are tested on the machine's own Node as well. */
const isForThisNode = runtime() === process.execPath;

// The dashboard is built by `npm run build`, and by `npm test` before running any tests.
if (isForThisNode) {
  describe.skipIf(!canBuild && process.env.REQUIRE_REAL !== "1")(
    "a release of a copy of this checkout",
    () => {
      beforeAll(() => {
        folder = mkdtempSync(join(tmpdir(), "cloudwright-release-"));
        copyCheckout(folder, [
          ...[STANDALONE, "apps/web/.next/.stamp-web", "apps/controller/dist"],
          ...["packages/store/src/generated", "packages/provider-api/dist"],
        ]);
        const changelog = readFileSync(join(folder, "CHANGELOG.md"), "utf8");
        write("CHANGELOG.md", changelog.replace(/^## .*$/m, `## ${VERSION} (2026-11-24)`));
        commitAll();
      }, 120_000);

      afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000);

      it("is every published file, with matching checksums, and no tag unless requested", async () => {
        const out = join(folder, "dist", "out");
        const printed = await release("--out", out);
        const names = [
          `cloudwright-${VERSION}.tgz`,
          `cloudwright-${VERSION}-${process.arch}.tar`,
          `cloudwright-chart-${VERSION}.tgz`,
          `cloudwright-provider-api-${API_VERSION}.tgz`,
          ...["cloudwright.cdx.json", "licences.md"],
        ];
        expect(readdirSync(out).sort()).toEqual([...names, "SHA256SUMS"].sort());
        const { stdout } = await run("sha256sum", ["--check", "SHA256SUMS"], { cwd: out });
        expect(stdout.trim().split("\n")).toHaveLength(names.length);
        expect(printed).toContain("Not tagged");
        expect(git("tag")).toBe("");
        const chart = join(out, `cloudwright-chart-${VERSION}.tgz`);
        const { path: helm, isThere } = whereHelmIs() as { path: string; isThere: boolean };
        if (isThere) {
          expect((await run(helm, ["show", "chart", chart])).stdout).toContain(
            `version: ${VERSION}`,
          );
        }
        await expect(release("--out", out)).rejects.toMatchObject({
          stderr: expect.stringContaining(`${out} is there already`),
        });
      }, 300_000);

      async function release(...options: readonly string[]): Promise<string> {
        const script = join(folder, "scripts", "release.mjs");
        const { stdout } = await run(process.execPath, [script, VERSION, ...options], {
          cwd: folder,
        });
        return stdout;
      }
    },
  );
}
