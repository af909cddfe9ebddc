import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { inProject, PlainError, ROOT, runMain, toolEnvironment } from "./lib/project.mjs";
import { runtime } from "./lib/runtime.mjs";
import { setUp } from "./setup.mjs";

const TSX = ["node_modules/tsx/dist/cli.mjs"];

/** What `npm run NAME -- …` starts. `build`: whether it needs the dashboard as well. */
const COMMANDS = {
  conformance: { file: "e2e/conformance/main.ts", build: true },
  bench: { file: "e2e/bench/main.ts", build: false },
  chaos: { file: "e2e/chaos/main.ts", build: true },
  "e2e:openstack": { file: "e2e/openstack/main.ts", build: false },
  "e2e:aws": { file: "e2e/aws/main.ts", build: false },
  "e2e:bridge": { file: "e2e/bridge/main.ts", build: false },
  "e2e:gce": { file: "e2e/gce/main.ts", build: false },
  "e2e:cluster": { file: "e2e/cluster/main.ts", build: true },
  shots: { file: "e2e/shots/main.ts", build: true },
  browser: {
    file: "playwright.config.ts",
    build: true,
    node: ["node_modules/@playwright/test/cli.js", "test"],
  },
  docs: { file: "scripts/docs.mjs", build: false, node: ["scripts/docs.mjs"] },
  migration: { file: "scripts/migration.mjs", build: false, node: ["scripts/migration.mjs"] },
};

const CHECKS = [
  ["node_modules/@biomejs/biome/bin/biome", "check", "."],
  ["scripts/supply-chain.mjs", "check"],
  ["scripts/docs.mjs"],
  ["scripts/messages.mjs", "check"],
  ["node_modules/typescript/bin/tsc", "--noEmit", "-p", "tsconfig.json"],
  ["node_modules/typescript/bin/tsc", "--noEmit", "-p", "apps/web/tsconfig.json"],
];

async function main() {
  const [name = "", ...args] = process.argv.slice(2);
  if (name === "check") return check();
  const command = COMMANDS[name];
  if (command === undefined) {
    throw new PlainError(
      `"${name}" is no command: there are ${Object.keys(COMMANDS).join(", ")} and check.`,
    );
  }
  if (!existsSync(inProject(command.file))) {
    throw new PlainError(`${command.file} is missing from this checkout, so ${name} cannot run.`);
  }
  await setUp({ build: command.build });
  process.exitCode = await runNode([...(command.node ?? [...TSX, command.file]), ...args]);
}

/** Each check passes or fails; the last lines name and count them, as in every suite. */
async function check() {
  await setUp({ build: false });
  const failed = [];
  for (const args of CHECKS) {
    if ((await runNode(args)) !== 0) failed.push(args.join(" "));
  }
  for (const one of failed) console.log(`failed: ${one}`);
  console.log(`${CHECKS.length - failed.length} passed, ${failed.length} failed`);
  if (failed.length > 0) process.exitCode = 1;
}

function runNode(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(runtime(), args, {
      cwd: ROOT,
      env: toolEnvironment(),
      stdio: "inherit",
    });
    const passOn = (signal) => child.kill(signal);
    process.on("SIGINT", passOn).on("SIGTERM", passOn);
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

await runMain(main);
