import { spawn } from "node:child_process";
import { inProject, PlainError, ROOT, toolEnvironment } from "../lib/project.mjs";
import { runtime } from "../lib/runtime.mjs";

/**
 * Runs a tool to its end and shows its output only if it fails. `onSpawn` receives the process, so that the lock can name it.
 * Ends the tool if this process receives a signal to end.
 */
export async function runTool({ title, command, args, cwd = ROOT, env = {}, onSpawn }) {
  const child = spawn(command, args, {
    cwd,
    env: toolEnvironment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  onSpawn?.(child);
  const output = collect(child);
  const passOn = (signal) => child.kill(signal);
  process.on("SIGINT", passOn).on("SIGTERM", passOn);
  try {
    const { code, signal } = await ended(child);
    if (signal !== null)
      throw new PlainError(`${title} was interrupted (${signal}); run it again.`);
    if (code !== 0) throw new PlainError(`${output()}\n${title} failed with exit code ${code}.`);
  } finally {
    process.off("SIGINT", passOn).off("SIGTERM", passOn);
  }
}

/** Returns the npm that started us, or the one on the PATH. */
export function npmCommand() {
  const path = process.env.npm_execpath;
  if (path === undefined || !path.endsWith(".js")) return { command: "npm", before: [] };
  return { command: process.execPath, before: [path] };
}

/** Runs a tool from the packages on the Node that runs the product. */
export function runNodeTool({ tool, args, ...rest }) {
  const program = inProject("node_modules", ".bin", tool);
  return runTool({ ...rest, command: runtime(), args: [program, ...args] });
}

function collect(child) {
  const chunks = [];
  child.stdout.on("data", (chunk) => chunks.push(chunk));
  child.stderr.on("data", (chunk) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8").trimEnd().slice(-8_000);
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => {
      reject(new PlainError(`${child.spawnfile} could not be started: ${error.message}.`));
    });
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
}
