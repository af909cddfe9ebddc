import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { helm } from "./helm.mjs";
import { installedChromium } from "./lib/chromium.mjs";
import { inProject, ROOT, runMain, toolEnvironment } from "./lib/project.mjs";
import { runtime } from "./lib/runtime.mjs";
import { setUp } from "./setup.mjs";
import { buildTestcluster } from "./test/build-testcluster.mjs";
import {
  countingLine,
  countsOf,
  countsOfPlaywright,
  countsOfVitest,
  failuresOf,
  failuresOfPlaywright,
  failuresOfVitest,
  sumOf,
} from "./test/count.mjs";

const VITEST = "node_modules/vitest/vitest.mjs";
const REPORT = "scripts/test/vitest-report.mjs";
const TSX = "node_modules/tsx/dist/cli.mjs";
const PLAYWRIGHT = "node_modules/@playwright/test/cli.js";
/**
 * Tests of what has to work on the machine's own Node: the scripts, which always run on it, and what runs on it if the pinned
 * Node does not start.
 */
const ON_OWN_NODE = [
  ...["scripts/", "packages/core/src/model/", "packages/core/src/queue/"],
  ...["apps/controller/test/called-by-name.test.ts", "apps/controller/test/plan.test.ts"],
];
const NOTHING = { passed: 0, failed: 0, skipped: 0 };
const ONE_SKIPPED = { ...NOTHING, skipped: 1 };

/**
 * `npm test`: runs set-up, then every suite that needs only this machine; at the end prints a line for each failure, and a line
 * with all counts.
 */
async function main() {
  await setUp({ build: true });
  Object.assign(process.env, buildTestcluster());
  buildHelm();
  const folder = mkdtempSync(join(tmpdir(), "cloudwright-test-"));
  try {
    const suites = [
      await unit(folder),
      await onOwnNode(folder),
      await conformance(),
      await browser(folder),
    ];
    const sum = sumOf(suites.map(({ counts }) => counts));
    if (sum.failed > 0) process.exitCode = 1;
    for (const line of suites.flatMap(({ failures }) => failures)) console.log(line);
    console.log(countingLine(sum));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Built here, as the first build takes longer than any test waits. Without Go, the chart's tests are skipped. */
function buildHelm() {
  try {
    helm();
  } catch (error) {
    if (process.env.REQUIRE_REAL === "1") throw error;
    console.log(`Tests of the Helm chart are skipped: ${error.message}`);
  }
}

/** Leaves out the scripts' tests if the machine's own Node is another one, which then runs them. */
function unit(folder) {
  const report = join(folder, "vitest.json");
  const which = isOnOwnNode() ? [] : ["--project", "!scripts"];
  return vitest({ title: "Unit and integration tests", report, which, node: runtime() });
}

/** Runs nothing more if everything has already run on the machine's own Node. */
async function onOwnNode(folder) {
  if (isOnOwnNode()) return { counts: NOTHING, failures: [] };
  const title = `The scripts and the core on this machine's own Node ${process.versions.node}`;
  const report = join(folder, "vitest-own.json");
  return await vitest({ title, report, which: ON_OWN_NODE, node: process.execPath });
}

function isOnOwnNode() {
  return runtime() === process.execPath;
}

async function vitest({ title, report, which, node }) {
  const reporters = [
    "--reporter=default",
    `--reporter=${inProject(REPORT)}`,
    `--outputFile.json=${report}`,
  ];
  const { code } = await runSuite(title, [VITEST, "run", ...reporters, ...which], { node });
  return judged(code, readReport(report), {
    title,
    counts: countsOfVitest,
    failures: (reported) => failuresOfVitest(reported, ROOT),
  });
}

async function conformance() {
  const title = "Conformance on the sandbox";
  const { code, output } = await runSuite(title, [
    TSX,
    ...["e2e/conformance/main.ts", "--cluster", "sandbox"],
  ]);
  return judged(code, output, { title, counts: countsOf, failures: failuresOf });
}

async function browser(folder) {
  if (!(await hasChromium())) return withoutChromium();
  const report = join(folder, "playwright.json");
  const title = "Browser tests";
  const { code } = await runSuite(title, [PLAYWRIGHT, "test", "--reporter=list,json"], {
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  return judged(code, readReport(report), {
    title,
    counts: countsOfPlaywright,
    failures: failuresOfPlaywright,
  });
}

/** A suite that exits with an error has a failure, whatever it counted and printed. */
function judged(code, reported, read) {
  const counts = (reported === undefined ? undefined : read.counts(reported)) ?? NOTHING;
  const failures = reported === undefined ? [] : read.failures(reported);
  if (code === 0 || counts.failed > 0) return { counts, failures };
  const ended = `failed: ${read.title} ended with code ${code}`;
  return { counts: { ...counts, failed: 1 }, failures: [...failures, ended] };
}

function withoutChromium() {
  const must = process.env.REQUIRE_REAL === "1";
  console.log(
    `\nBrowser tests ${must ? "failed" : "were skipped"}: no Chromium was found; install it, or name it by CHROMIUM_PATH.`,
  );
  return { counts: must ? { ...NOTHING, failed: 1 } : ONE_SKIPPED, failures: [] };
}

async function hasChromium() {
  const { chromium } = await import("@playwright/test");
  return installedChromium() !== undefined || existsSync(chromium.executablePath());
}

/** Runs one suite, shows its output as it arrives, and returns it. */
function runSuite(title, args, { env = {}, node = runtime() } = {}) {
  console.log(`\n${title}`);
  return new Promise((resolve, reject) => {
    const child = spawn(node, args.with(0, inProject(args[0])), {
      cwd: ROOT,
      env: toolEnvironment(env),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      process.stdout.write(chunk);
      output += chunk;
    });
    const passOn = (signal) => child.kill(signal);
    process.on("SIGINT", passOn).on("SIGTERM", passOn);
    child.once("error", reject);
    child.once("close", (code) => {
      process.off("SIGINT", passOn).off("SIGTERM", passOn);
      resolve({ code: code ?? 1, output });
    });
  });
}

function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

await runMain(main);
