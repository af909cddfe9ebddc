import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { Agent, fetch } from "undici";
import { cloudwrightProgram } from "./program.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const insecure = new Agent({ connect: { rejectUnauthorized: false } });

/** A `cloudwright controller` in a separate process. */
export interface ControllerProcess {
  readonly port: number;
  readonly child: ChildProcess;
  log(): string;
  readonly ended: Promise<number | string>;
  get(path: string, token?: string): Promise<{ readonly status: number; readonly body: string }>;
}

export async function startController(flags: readonly string[]): Promise<ControllerProcess> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [
      await cloudwrightProgram(),
      "controller",
      `--secure-port=${port}`,
      "--bind-address=127.0.0.1",
      ...flags,
    ],
    { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, DATABASE_URL: "" } },
  );
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  const ended = new Promise<number | string>((done) => {
    child.once("close", (code, signal) => done(code ?? signal ?? "unknown"));
  });
  return {
    port,
    child,
    log: () => log,
    ended,
    get: async (path, token) => {
      const answer = await fetch(`https://127.0.0.1:${port}${path}`, {
        dispatcher: insecure,
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      });
      return { status: answer.status, body: await answer.text() };
    },
  };
}

/** Repeats the request until the answer is as wanted; the test's own timeout is the limit. */
export async function eventually<Answer>(
  ask: () => Promise<Answer>,
  isWanted: (answer: Answer) => boolean,
): Promise<Answer> {
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined && isWanted(answer)) return answer;
    await new Promise((resolveSoon) => setTimeout(resolveSoon, 50));
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolvePort(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}
