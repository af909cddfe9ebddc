import { rmSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { takeLock } from "./lib/lock.mjs";
import { inProject, PlainError, runMain } from "./lib/project.mjs";
import { isFresh, removeStamp, writeStamp } from "./setup/stamp.mjs";
import { STEPS } from "./setup/steps.mjs";

/**
 * Installs, generates and builds what is missing or out of date. `build` includes the dashboard. May be interrupted at any moment
 * and started twice at once: the second one waits.
 */
export async function setUp({ build }) {
  const startedAt = Date.now();
  const lock = await waitForLock();
  try {
    const done = await runSteps({ build, lock });
    if (done > 0) console.log(`Set-up took ${seconds(startedAt)}.`);
  } finally {
    lock.release();
  }
}

async function runSteps({ build, lock }) {
  let done = 0;
  for (const step of STEPS) {
    if (step.onlyWith === "build" && !build) continue;
    const hash = step.hash();
    if (isFresh({ stamp: step.stamp, output: step.output, hash })) continue;
    if ("adopt" in step && step.adopt()) {
      writeStamp(step.stamp, hash);
      continue;
    }
    await runStep({ step, hash, lock });
    done += 1;
  }
  return done;
}

/** The stamp is removed first: an interrupted step must not look done. */
async function runStep({ step, hash, lock }) {
  const startedAt = Date.now();
  process.stdout.write(`${step.title} … `);
  removeStamp(step.stamp);
  try {
    await step.run(lock);
  } catch (error) {
    console.log("failed");
    throw error;
  }
  writeStamp(step.stamp, hash);
  console.log(seconds(startedAt));
}

async function waitForLock() {
  const path = inProject(".cloudwright", "setup.lock");
  let reported = false;
  for (;;) {
    const lock = takeLock(path);
    if (lock.owner === undefined) return lock;
    if (!reported) console.log(`Waiting for another set-up (process ${lock.owner.pid}) …`);
    reported = true;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

function seconds(since) {
  return `${((Date.now() - since) / 1_000).toFixed(1)} s`;
}

async function main() {
  const { values } = parseSetupArguments();
  if (values.force) for (const step of STEPS) rmSync(inProject(step.stamp), { force: true });
  await setUp({ build: values.build });
}

function parseSetupArguments() {
  try {
    return parseArgs({
      options: {
        build: { type: "boolean", default: false },
        force: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new PlainError(`${error.message} Usage: node scripts/setup.mjs [--build] [--force]`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await runMain(main);
