import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { PlainError, ROOT, toolEnvironment } from "../lib/project.mjs";
import { runtime } from "../lib/runtime.mjs";

/** Longer than any part takes to give up what hangs: the database's asks PostgreSQL twice, 8 s each. */
const PATIENCE_MS = 20_000;
const TAIL_LINES = 8;

/**
 * Starts one long-running part with an IPC channel, so that it ends when we die, and in its own process group, so that only we
 * receive Ctrl-C and stop the parts in order. Its output goes to a log file, to which a restarted part (`goesOn`) appends.
 */
export function startChild({ name, args, env, logs, goesOn = false }) {
  const log = join(logs, `${name}.log`);
  if (!goesOn) keepPrevious(log);
  const output = openSync(log, "a", 0o600);
  const child = spawn(runtime(), args, {
    cwd: ROOT,
    env: toolEnvironment(env),
    stdio: ["ignore", output, output, "ipc"],
    detached: true,
  });
  closeSync(output);
  const ended = endOf(child, "exit");
  const said = new Set();
  child.on("message", (message) => said.add(message?.type));
  return {
    name,
    ended,
    /** Resolves with the content of its ready message; rejects if it ends before. */
    ready: Promise.race([readyMessage(child), ended.then((how) => fail({ name, how, log }))]),
    /** Ends it gracefully; after a while, by force. */
    stop: () => stopChild(child, ended),
    kill: () => child.kill("SIGKILL"),
    /** Reports whether it has sent a message of this type; all of them have arrived once `died` resolves. */
    hasSaid: (type) => type !== undefined && said.has(type),
    died: endOf(child, "close").then((how) => deathSentence({ name, how, log })),
  };
}

/** Describes how it ended. At `close`, which may be later than its exit, all of its messages have arrived. */
function endOf(child, event) {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once(event, (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

function readyMessage(child) {
  return new Promise((resolve) => {
    child.on("message", (message) => {
      if (message?.type === "ready") resolve(message);
    });
  });
}

async function stopChild(child, ended) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  await ended;
  clearTimeout(force);
}

function fail(death) {
  throw new PlainError(deathSentence(death));
}

function deathSentence({ name, how, log }) {
  const tail = readFileSync(log, "utf8").trimEnd().split("\n").slice(-TAIL_LINES);
  const lines = tail.filter((line) => line !== "").map((line) => `  ${line}`);
  return [`The ${name} ended (${how}); its log is ${log}:`, ...lines].join("\n");
}

function keepPrevious(log) {
  if (existsSync(log)) renameSync(log, `${log}.1`);
}
