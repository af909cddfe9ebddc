import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { takeLock } from "../lib/lock.mjs";

const START = fileURLToPath(new URL("../start.mjs", import.meta.url));
let data: string;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "cloudwright-start-"));
});

afterEach(() => rmSync(data, { recursive: true, force: true }));

it("says in one sentence that its folder cannot be made", async () => {
  const file = join(data, "file");
  writeFileSync(file, "");
  const { code, output } = await start("--data", file);
  expect(code).toBe(1);
  expect(output).toMatch(
    /^--data \S+ cannot be used \(ENOTDIR: .*\): name a folder that you may write to\.\n$/,
  );
});

it("reports where it is already running if it is started twice", async () => {
  const lock = takeLock(join(data, "start.lock"));
  writeFileSync(join(data, "endpoints.json"), '{"dashboard":"http://127.0.0.1:3000"}');
  const { code, output } = await start("--data", data);
  lock.release();
  expect(code).toBe(1);
  expect(output).toBe(
    `Cloudwright already runs in ${data} (process ${process.pid}): http://127.0.0.1:3000. End that one, or take another folder: npm start -- --data DIR.\n`,
  );
});

it("says what to do about a port in use, and releases the folder", async () => {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
    });
  });
  const { code, output } = await start("--data", data, "--port", String(port));
  server.close();
  expect(code).toBe(1);
  expect(output).toBe(
    `Port ${port} of 127.0.0.1 is in use by another program: end that one, or take another port: npm start -- --port ${port + 1}.\n`,
  );
  expect(takeLock(join(data, "start.lock")).owner).toBeUndefined();
});

it("prints its help", async () => {
  const { code, output } = await start("--help");
  expect(code).toBe(0);
  expect(output).toContain("--database-url URL");
});

it("refuses unknown options", async () => {
  const { code, output } = await start("--nonsense");
  expect(code).toBe(1);
  expect(output.trim().split("\n")).toHaveLength(1);
});

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [START, ...args]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, output }));
  });
}
