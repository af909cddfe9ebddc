import { createServer, type Server } from "node:http";
import { afterEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { untilHealthy } from "./network.mjs";
// @ts-expect-error The same.
import { runTool, waitingFor } from "./waiting.mjs";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

it("asks a dashboard that does not respond again, until it is healthy", async () => {
  const seen: number[] = [];
  const made = createServer((_request, response) => {
    seen.push(seen.length);
    if (seen.length === 1) return;
    response.writeHead(seen.length === 2 ? 503 : 200).end("{}");
  });
  server = made;
  const port = await new Promise<number>((resolve) => {
    made.listen(0, "127.0.0.1", () => {
      const address = made.address();
      resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
    });
  });
  await untilHealthy(`http://127.0.0.1:${port}/healthz`, { limitMs: 50 });
  expect(seen).toHaveLength(3);
});

it("reports what it waits for, and stops once that is ready", async () => {
  const reported: string[] = [];
  let arrive: (value: string) => void = () => {};
  const work = new Promise<string>((resolve) => {
    arrive = resolve;
  });
  const report = (text: string) => {
    reported.push(text);
    arrive("there");
  };
  expect(await waitingFor("the controller", work, { everyMs: 1, report })).toBe("there");
  expect(reported).toEqual(["Still waiting for the controller …"]);
});

it("gives up a command that does not end, and passes on the output of one that fails", async () => {
  const tool = (script: string, limitMs: number) =>
    runTool("The migration", { args: ["-e", script], env: process.env, limitMs });
  await expect(tool("setInterval(() => {}, 1000)", 600)).rejects.toThrow(
    "The migration did not end within 1 s and was given up; start again.",
  );
  await expect(tool("console.error('No database.'); process.exit(1)", 60_000)).rejects.toThrow(
    /^No database\.$/,
  );
  expect(await tool("console.log('done')", 60_000)).toBe("done\n");
});

it("ends a command as soon as everything has to end", async () => {
  const ending = new AbortController();
  const work = runTool("The migration", {
    args: ["-e", "setInterval(() => {}, 1000)"],
    env: process.env,
    limitMs: 60_000,
    signal: ending.signal,
  });
  ending.abort();
  await expect(work).rejects.toThrow("The migration was broken off, as everything ends.");
});
