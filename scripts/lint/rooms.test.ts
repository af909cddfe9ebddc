import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "../lib/project.mjs";
// @ts-expect-error The same.
import { lintRooms } from "./rooms.mjs";

const CORE = "packages/core/src";
const FEATURES = "apps/web/src/features";
const CIRCLE = "lint/suspicious/noImportCycles";
const ARROW = "lint/style/noRestrictedImports";

/** The imports of each file in the fixture, by its path, and the rule that it breaks. */
const FILES: Record<string, { readonly imports: string; readonly breaks?: string }> = {
  [`${CORE}/kube/one.ts`]: { imports: `import { two } from "./two.ts"`, breaks: CIRCLE },
  [`${CORE}/kube/two.ts`]: { imports: `import { one } from "./one.ts"`, breaks: CIRCLE },
  [`${CORE}/queue/one.ts`]: { imports: `import type { two } from "./two.ts"`, breaks: CIRCLE },
  [`${CORE}/queue/two.ts`]: { imports: `import type { one } from "./one.ts"`, breaks: CIRCLE },

  [`${CORE}/model/a.ts`]: { imports: `import type { a } from "../kube/a.ts"`, breaks: ARROW },
  [`${CORE}/model/b.ts`]: { imports: `import { readFile } from "node:fs"`, breaks: ARROW },
  [`${CORE}/kube/a.ts`]: { imports: `import type { a } from "../model/c.ts"` },
  [`${CORE}/kube/testing/b.ts`]: {
    imports: `import { a } from "../../queue/a.ts"`,
    breaks: ARROW,
  },
  [`${CORE}/kube/c.ts`]: {
    imports: `import { a } from "@cloudwright/core/queue/a"`,
    breaks: ARROW,
  },
  [`${CORE}/reconcile/a.ts`]: { imports: `import { a } from "../queue/a.ts"` },
  [`${CORE}/reconcile/b.ts`]: {
    imports: `import type { a } from "../controllers/node/a.ts"`,
    breaks: ARROW,
  },
  [`${CORE}/controllers/node/a.ts`]: { imports: `import { a } from "../objects/a.ts"` },
  [`${CORE}/controllers/node/b.ts`]: {
    imports: `import type { a } from "../route/a.ts"`,
    breaks: ARROW,
  },
  [`${CORE}/controllers/node/testing/c.ts`]: {
    imports: `import { a } from "../../service/a.ts"`,
    breaks: ARROW,
  },
  [`${CORE}/controllers/objects/d.ts`]: {
    imports: `import { a } from "../volume/a.ts"`,
    breaks: ARROW,
  },
  "packages/store/src/a.ts": { imports: `import type { a } from "@cloudwright/core/reconcile/a"` },
  "packages/store/src/b.ts": {
    imports: `import type { a } from "@cloudwright/core/kube/a"`,
    breaks: ARROW,
  },
  "packages/sandbox/src/a.ts": {
    imports: `import { a } from "@cloudwright/core/kube/a"`,
    breaks: ARROW,
  },
  "packages/provider-api/src/a.ts": {
    imports: `import type { a } from "@cloudwright/core/model/c"`,
    breaks: ARROW,
  },
  [`${CORE}/cloud/a.ts`]: { imports: `import { a } from "@cloudwright/provider-api/http"` },
  [`${CORE}/queue/b.ts`]: {
    imports: `import type { a } from "@cloudwright/provider-api"`,
    breaks: ARROW,
  },
  "packages/providers/sandbox/src/b.ts": {
    imports: `import { a } from "@cloudwright/provider-api"`,
  },
  "packages/providers/sandbox/src/c.ts": {
    imports: `import type { a } from "@cloudwright/core/model/c"`,
    breaks: ARROW,
  },
  "packages/providers/sandbox/src/a.ts": {
    imports: `import { a } from "@cloudwright/store/database/database"`,
    breaks: ARROW,
  },
  "apps/controller/src/process/a.ts": {
    imports: `const a = await import("@cloudwright/sandbox/cloud/a")`,
    breaks: ARROW,
  },
  "apps/controller/src/process/b.ts": { imports: `import { a } from "../wiring/a.ts"` },
  "apps/controller/src/process/ledger/c.ts": {
    imports: `import type { a } from "../../commands/a.ts"`,
    breaks: ARROW,
  },
  "apps/controller/src/wiring/cluster/a.ts": {
    imports: `import type { a } from "../../process/a.ts"`,
    breaks: ARROW,
  },
  "apps/controller/src/http/a.ts": {
    imports: `import type { a } from "../wiring/a.ts"`,
    breaks: ARROW,
  },
  "apps/controller/src/commands/sandbox.ts": {
    imports: `const a = await import("@cloudwright/sandbox/cloud/a")`,
  },
  "apps/web/src/server/a.ts": { imports: `import { a } from "@cloudwright/store/queries/a"` },
  "apps/web/src/server/b.ts": {
    imports: `import type { a } from "@cloudwright/core/kube/a"`,
    breaks: ARROW,
  },
  [`${FEATURES}/one/a.ts`]: { imports: `import { a } from "../../platform/a.ts"` },
  [`${FEATURES}/one/b.ts`]: { imports: `import type { a } from "../two/a.ts"`, breaks: ARROW },
  [`${FEATURES}/one/testing/c.ts`]: { imports: `import { a } from "../a.ts"` },
  [`${FEATURES}/one/testing/d.ts`]: {
    imports: `import { a } from "../../two/a.ts"`,
    breaks: ARROW,
  },
  [`${FEATURES}/one/e.ts`]: { imports: `import { a } from "@cloudwright/store/a"`, breaks: ARROW },
  [`${FEATURES}/one/f.ts`]: { imports: `import type { a } from "@cloudwright/store/views/views"` },
  "apps/web/src/components/a.ts": {
    imports: `import { a } from "../features/one/a.ts"`,
    breaks: ARROW,
  },
  "apps/web/src/platform/b.ts": {
    imports: `import type { a } from "../features/one/a.ts"`,
    breaks: ARROW,
  },
  "e2e/chaos/a.ts": { imports: `import { a } from "@cloudwright/core/model/c"`, breaks: ARROW },
  "e2e/chaos/b.ts": { imports: `import { a } from "../../packages/core/a.ts"`, breaks: ARROW },
  "e2e/plugins/one/a.ts": { imports: `import { a } from "@cloudwright/provider-api/http"` },
};

let folder: string;
let found: ReadonlyMap<string, string>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-lint-"));
  const { vcs: _, ...config } = JSON.parse(readFileSync(inProject("biome.json"), "utf8"));
  writeIn("biome.json", JSON.stringify(config));
  copyFileSync(inProject("biome.rooms.json"), join(folder, "biome.rooms.json"));
  for (const [file, { imports }] of Object.entries(FILES)) writeIn(file, `${imports};\n`);
  found = lint();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeIn(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** Returns the rule that each file breaks, according to the project's linter configuration. */
function lint(): ReadonlyMap<string, string> {
  const rules = [CIRCLE, ARROW].map((rule) => `--only=${rule.slice("lint/".length)}`);
  const { stdout } = spawnSync(
    inProject("node_modules/.bin/biome"),
    ["lint", ...rules, "--reporter=json", "--max-diagnostics=none", "."],
    { cwd: folder, encoding: "utf8" },
  );
  const { diagnostics } = JSON.parse(stdout);
  return new Map(
    diagnostics.map(({ category, location }: { category: string; location: { path: string } }) => [
      location.path,
      category,
    ]),
  );
}

describe("the linter", () => {
  const entries = Object.entries(FILES).map(([file, { imports, breaks }]) => ({
    file,
    imports,
    breaks,
    verdict: breaks === undefined ? "allows" : "refuses",
  }));

  it.each(entries)("$verdict $imports in $file", ({ file, breaks }) => {
    expect(found.get(file)).toBe(breaks);
  });

  it("has its import directions from the table of rooms", () => {
    expect(readFileSync(inProject("biome.rooms.json"), "utf8")).toBe(lintRooms());
  });
});
