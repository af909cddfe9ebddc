import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inProject, ROOT, runMain, toolEnvironment } from "./lib/project.mjs";
import { setUp } from "./setup.mjs";
import {
  countingLine,
  countsOf,
  countsOfPlaywright,
  countsOfVitest,
  sumOf,
} from "./test/count.mjs";

const VITEST = "node_modules/vitest/vitest.mjs";
const TSX = "node_modules/tsx/dist/cli.mjs";
const PLAYWRIGHT = "node_modules/@playwright/test/cli.js";
const NOTHING = { passed: 0, failed: 0, skipped: 0 };
const ONE_SKIPPED = { ...NOTHING, skipped: 1 };

/** `npm test`: set-up, then every suite that needs no more than this machine, and one line that counts them all. */
async function main() {
  await setUp({ build: true });
  const folder = mkdtempSync(join(tmpdir(), "cloudwright-test-"));
  try {
    const counts = [await unit(folder), await conformance(), await browser(folder)];
    const sum = sumOf(counts);
    if (sum.failed > 0) process.exitCode = 1;
    console.log(countingLine(sum));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function unit(folder) {
  const report = join(folder, "vitest.json");
  const { code } = await runSuite("Unit and integration tests", [
    ...[VITEST, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
  ]);
  return orFailed(code, readReport(report, countsOfVitest));
}

async function conformance() {
  const { code, output } = await runSuite("Conformance on the sandbox", [
    ...[TSX, "e2e/conformance/main.ts", "--cluster", "sandbox"],
  ]);
  return orFailed(code, countsOf(output));
}

async function browser(folder) {
  if (!(await hasChromium())) return withoutChromium();
  const report = join(folder, "playwright.json");
  const { code } = await runSuite("Browser tests", [PLAYWRIGHT, "test", "--reporter=list,json"], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
  return orFailed(code, readReport(report, countsOfPlaywright));
}

/** A suite that ends badly has a failure, whatever it counted. */
function orFailed(code, counts) {
  const counted = counts ?? NOTHING;
  return code !== 0 && counted.failed === 0 ? { ...counted, failed: 1 } : counted;
}

function withoutChromium() {
  const must = process.env.REQUIRE_REAL === "1";
  console.log(
    `\nBrowser tests ${must ? "failed" : "were skipped"}: no Chromium was found; install it, or name it by CHROMIUM_PATH.`,
  );
  return must ? { ...NOTHING, failed: 1 } : ONE_SKIPPED;
}

async function hasChromium() {
  const { chromium } = await import("@playwright/test");
  return [
    process.env.CHROMIUM_PATH,
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    chromium.executablePath(),
  ].some((path) => path !== undefined && path !== "" && existsSync(path));
}

/** Runs one suite, shows its output as it comes, and keeps it. */
function runSuite(title, args, env = {}) {
  console.log(`\n${title}`);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args.with(0, inProject(args[0])), {
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

function readReport(path, counts) {
  return existsSync(path) ? counts(JSON.parse(readFileSync(path, "utf8"))) : undefined;
}

await runMain(main);
