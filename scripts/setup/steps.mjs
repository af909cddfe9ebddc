import { rmSync, symlinkSync } from "node:fs";
import { identityOf } from "../lib/process-identity.mjs";
import { inProject } from "../lib/project.mjs";
import { hideUnusable, runtime } from "../lib/runtime.mjs";
import { buildDashboard, SERVER } from "./build-dashboard.mjs";
import { buildProviderApi } from "./build-provider-api.mjs";
import { bundleController } from "./bundle-controller.mjs";
import { hasPackages, isInstalled, linkWorkspaces } from "./installed.mjs";
import { npmCommand, runNodeTool, runTool } from "./run-tool.mjs";
import { hashOf } from "./stamp.mjs";

/** The Node that runs `bin/cloudwright.mjs` when it is called by its name. */
const RUNTIME = "apps/controller/dist/node";
const CORE = "packages/core/src";
const STORE = "packages/store/src";

/**
 * The steps of set-up, in order. Each has a stamp beside its output with the hash of its input; a step whose stamp matches and
 * whose output exists is skipped. `adopt` reports that the output is right although it has no stamp.
 */
export const STEPS = [
  {
    name: "install",
    title: "Installing packages",
    output: "node_modules",
    stamp: "node_modules/.stamp-install",
    hash: () => hashOf(["package-lock.json"], `${process.platform}-${process.arch}`),
    adopt: isInstalled,
    run: install,
  },
  {
    name: "client",
    title: "Generating the database client",
    output: `${STORE}/generated/client.ts`,
    stamp: `${STORE}/generated/.stamp-client`,
    hash: () => hashOf(["prisma/schema.prisma", "prisma.config.ts", "package-lock.json"]),
    run: () => runNodeTool({ title: "prisma generate", tool: "prisma", args: ["generate"] }),
  },
  {
    name: "provider-api",
    title: "Building the package that providers are written against",
    output: "packages/provider-api/dist/index.js",
    stamp: "node_modules/.stamp-provider-api",
    hash: () =>
      hashOf([
        "packages/provider-api",
        "tsconfig.base.json",
        "package-lock.json",
        "scripts/setup/build-provider-api.mjs",
      ]),
    run: buildProviderApi,
  },
  {
    name: "controller",
    title: "Bundling the controller",
    output: "apps/controller/dist/cloudwright.mjs",
    stamp: "apps/controller/dist/.stamp-controller",
    hash: () =>
      hashOf([
        "apps/controller/src",
        "packages",
        "package-lock.json",
        "prisma/migrations",
        "scripts/setup/bundle-controller.mjs",
      ]),
    run: () => bundleController(),
  },
  {
    name: "runtime",
    title: "Choosing the Node that runs it",
    output: RUNTIME,
    stamp: "apps/controller/dist/.stamp-runtime",
    hash: () => hashOf(["package-lock.json"], runtime()),
    run: linkRuntime,
  },
  {
    name: "web",
    title: "Building the dashboard",
    onlyWith: "build",
    output: SERVER,
    stamp: "apps/web/.next/.stamp-web",
    hash: dashboardHash,
    run: () => buildDashboard(dashboardHash().slice(0, 20)),
  },
];

async function install(lock) {
  if (hasPackages()) return linkWorkspaces();
  const { command, before } = npmCommand();
  await runTool({
    title: "npm ci",
    command,
    args: [...before, "ci", "--include=dev", "--no-audit", "--no-fund"],
    // If only this process is killed, npm keeps running: the next set-up then waits for it.
    onSpawn: (child) => lock.note({ child: identityOf(child.pid) }),
  });
  lock.note({});
  hideUnusable();
}

function linkRuntime() {
  rmSync(inProject(RUNTIME), { force: true });
  symlinkSync(runtime(), inProject(RUNTIME));
}

function dashboardHash() {
  return hashOf([
    ...["apps/web", STORE, CORE, "package-lock.json", "tsconfig.base.json"],
    "scripts/setup/build-dashboard.mjs",
  ]);
}
