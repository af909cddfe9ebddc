import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { isRunning } from "../lib/process-identity.mjs";
// @ts-expect-error The same.
import { createSupervisor } from "./supervisor.mjs";

const SUPERVISOR = fileURLToPath(new URL("supervisor.mjs", import.meta.url));
/** Serves until it is asked to end or its parent dies, and records when it ends. */
const PART = `
  const { appendFileSync } = require("node:fs");
  const end = () => { appendFileSync(process.env.ENDS, process.env.NAME + "\\n"); process.exit(0); };
  process.on("SIGTERM", end);
  process.on("disconnect", end);
  setInterval(() => {}, 1000);
  process.send({ type: "ready", pid: process.pid });
`;
/** Never receives a signal to end. */
const DEAF = `
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1000);
  process.send({ type: "ready" });
`;

/** The first instances lose their Lease; the next one serves. */
const LOSES_LEASE = `
  const { appendFileSync, readFileSync } = require("node:fs");
  appendFileSync(process.env.STARTS, "x");
  console.log("start", readFileSync(process.env.STARTS, "utf8").length);
  if (readFileSync(process.env.STARTS, "utf8").length <= Number(process.env.LOSSES)) {
    process.send({ type: "leaseLost" });
    process.exitCode = 1;
    process.disconnect();
  } else {
    process.on("SIGTERM", () => process.exit(0));
    setInterval(() => {}, 1000);
    process.send({ type: "ready", pid: process.pid });
  }
`;

let logs: string;
let ends: string;

beforeEach(() => {
  logs = mkdtempSync(join(tmpdir(), "cloudwright-supervisor-"));
  ends = join(logs, "ends");
  writeFileSync(ends, "");
});

afterEach(() => rmSync(logs, { recursive: true, force: true }));

it("passes on what a part reports when it is ready", async () => {
  const supervisor = createSupervisor({ logs });
  const { ready } = supervisor.start(part("cloud"));
  expect(await ready).toMatchObject({ type: "ready" });
  await supervisor.stop();
});

it("stops the parts in order, those that others depend on last", async () => {
  const supervisor = createSupervisor({ logs });
  const names = ["database", "cloud", "cluster", "kubelets", "controller", "dashboard"];
  await Promise.all(names.map((name) => supervisor.start(part(name)).ready));
  await supervisor.stop();
  expect(endedNames()).toEqual(names.toReversed());
});

it("stops the parts of all clusters together, role by role", async () => {
  const supervisor = createSupervisor({ logs });
  const names = ["database", "cloud", "cloud-2", "controller", "controller-2"];
  await Promise.all(names.map((name) => supervisor.start(part(name)).ready));
  await supervisor.stop();
  const ended = endedNames();
  expect(ended.slice(0, 2).toSorted()).toEqual(["controller", "controller-2"]);
  expect(ended.slice(2, 4).toSorted()).toEqual(["cloud", "cloud-2"]);
  expect(ended.slice(4)).toEqual(["database"]);
});

it("reports which part died, how, and the end of its log", async () => {
  const supervisor = createSupervisor({ logs });
  const code = "console.error('the disk is full'); process.exit(7)";
  const child = supervisor.start({ name: "controller", args: ["-e", code] });
  await expect(child.ready).rejects.toThrow(/^The controller ended \(exit code 7\)/);
  expect(await supervisor.broken).toMatch(
    /^The controller ended \(exit code 7\); its log is .*controller\.log:\n {2}the disk is full$/,
  );
  await supervisor.stop();
});

it("keeps the log of the previous run", async () => {
  writeFileSync(join(logs, "cloud.log"), "before");
  const supervisor = createSupervisor({ logs });
  await supervisor.start(part("cloud")).ready;
  await supervisor.stop();
  expect(readFileSync(join(logs, "cloud.log.1"), "utf8")).toBe("before");
});

it("in a hurry, kills what hangs, but ends the database gracefully", async () => {
  const supervisor = createSupervisor({ logs });
  await supervisor.start(part("database")).ready;
  await supervisor.start({ name: "controller", args: ["-e", DEAF] }).ready;
  const stopped = supervisor.stop();
  supervisor.hurry();
  await stopped;
  expect(endedNames()).toEqual(["database"]);
});

it("aborts everything else that it waits for as soon as it has to stop", async () => {
  const supervisor = createSupervisor({ logs });
  expect(supervisor.stopping.aborted).toBe(false);
  await supervisor.stop();
  expect(supervisor.stopping.aborted).toBe(true);
});

it("restarts a controller that lost its Lease, reports that, and keeps its log", async () => {
  const { supervisor, said, waits } = restarting();
  const { ready } = supervisor.start(losing(3));
  expect(await ready).toMatchObject({ type: "ready" });
  expect(said).toEqual([
    "The controller lost its Lease and is started anew.",
    "The controller lost its Lease and is started anew in 1 s (2nd time in 10 min).",
    "The controller lost its Lease and is started anew in 2 s (3rd time in 10 min).",
  ]);
  expect(waits).toEqual([0, 1_000, 2_000]);
  expect(readFileSync(join(logs, "controller.log"), "utf8")).toBe(
    "start 1\nstart 2\nstart 3\nstart 4\n",
  );
  await supervisor.stop();
});

it("treats the loss of a Lease as a death if the part must not be restarted", async () => {
  const { supervisor, said } = restarting();
  const { startsAnewAfter: _, ...part } = losing(1);
  supervisor.start(part);
  expect(await supervisor.broken).toMatch(/^The controller ended \(exit code 1\)/);
  expect(said).toEqual([]);
  await supervisor.stop();
});

it("ends if a restarted part dies in another way", async () => {
  const { supervisor } = restarting();
  const dies = LOSES_LEASE.replace("setInterval(() => {}, 1000)", "process.exit(7)");
  const { ready } = supervisor.start({ ...losing(1), args: ["-e", dies] });
  await expect(ready).rejects.toThrow(/^The controller ended \(exit code 7\)/);
  expect(await supervisor.broken).toMatch(/^The controller ended \(exit code 7\)/);
  await supervisor.stop();
});

it("stops while a part waits to be restarted, and does not restart it", async () => {
  let isWaiting = () => {};
  const waiting = new Promise<void>((resolve) => {
    isWaiting = resolve;
  });
  const wait = (_: number, signal: AbortSignal) => {
    isWaiting();
    return new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  };
  const { supervisor } = restarting(wait);
  await supervisor.start(part("database")).ready;
  supervisor.start(losing(1));
  await waiting;
  await supervisor.stop();
  expect(readFileSync(join(logs, "starts"), "utf8")).toBe("x");
  expect(endedNames()).toEqual(["database"]);
});

it("leaves nothing running when it is killed", async () => {
  const code = `
    import { createSupervisor } from ${JSON.stringify(SUPERVISOR)};
    const supervisor = createSupervisor({ logs: ${JSON.stringify(logs)} });
    const part = ${JSON.stringify(part("database"))};
    const { pid } = await supervisor.start(part).ready;
    console.log(pid);
  `;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", code]);
  const pid = await new Promise<number>((resolve) => {
    parent.stdout.once("data", (chunk: Buffer) => resolve(Number(chunk.toString())));
  });
  expect(isRunning({ pid })).toBe(true);
  parent.kill("SIGKILL");
  while (endedNames().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(endedNames()).toEqual(["database"]);
});

/** A supervisor that restarts without a delay, unless a test gives one. */
function restarting(wait?: (ms: number, signal: AbortSignal) => Promise<void>) {
  const said: string[] = [];
  const waits: number[] = [];
  const supervisor = createSupervisor({
    logs,
    report: (line: string) => said.push(line),
    wait:
      wait ??
      (async (ms: number) => {
        waits.push(ms);
      }),
  });
  return { supervisor, said, waits };
}

function losing(losses: number) {
  return {
    name: "controller",
    args: ["-e", LOSES_LEASE],
    env: { STARTS: join(logs, "starts"), LOSSES: String(losses) },
    startsAnewAfter: "leaseLost",
  };
}

function part(name: string) {
  return { name, args: ["-e", PART], env: { NAME: name, ENDS: ends } };
}

function endedNames(): readonly string[] {
  return existsSync(ends) ? readFileSync(ends, "utf8").split("\n").filter(Boolean) : [];
}
