import { systemClock } from "@cloudwright/core/kube/system-clock";
import { expect, it } from "vitest";
import type { Page } from "./pages.ts";
import { profilePages } from "./profile-pages.ts";

const levels: number[] = [];
const pages = profilePages({
  clock: systemClock,
  signal: new AbortController().signal,
  setVerbosity: (level) => levels.push(level),
});

it("records where CPU time is spent, in V8's own format", async () => {
  const [answer] = await Promise.all([ask("/debug/pprof/profile?seconds=0.2"), work(100)]);
  expect(answer.status).toBe(200);
  const profile = JSON.parse(answer.body) as { nodes: unknown[]; samples: unknown[] };
  expect(profile.nodes.length).toBeGreaterThan(1);
  expect(profile.samples.length).toBeGreaterThan(0);
});

it("records what allocates memory, without the contents of objects", async () => {
  const secret = `secret-${Math.floor(performance.now())}`;
  const kept: string[] = [];
  const recording = ask("/debug/pprof/heap?seconds=0.2");
  for (let count = 0; count < 50_000; count++) kept.push(`${secret} ${count}`);
  const answer = await recording;
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body)).toHaveProperty("head");
  expect(answer.body).not.toContain(secret);
  expect(kept).toHaveLength(50_000);
});

it("records one profile of each kind at a time", async () => {
  const first = ask("/debug/pprof/profile?seconds=0.2");
  expect((await ask("/debug/pprof/profile?seconds=0.1")).status).toBe(409);
  expect((await first).status).toBe(200);
});

it.each(["0", "301", "x"])("refuses to record for %s seconds", async (seconds) => {
  expect((await ask(`/debug/pprof/heap?seconds=${seconds}`)).status).toBe(400);
});

it("stops recording when the server closes", async () => {
  const ending = new AbortController();
  const ended = profilePages({
    clock: systemClock,
    signal: ending.signal,
    setVerbosity: () => undefined,
  });
  const recording = ask("/debug/pprof/profile?seconds=300", { from: ended });
  ending.abort();
  expect((await recording).status).toBe(200);
});

it("sets the log level", async () => {
  expect(pages.get("/debug/flags/v")?.verbs).toEqual(["put"]);
  expect((await ask("/debug/flags/v", { body: "4\n" })).status).toBe(200);
  expect((await ask("/debug/flags/v", { body: "loud" })).status).toBe(400);
  expect(levels).toEqual([4]);
});

async function ask(address: string, { body = "", from = pages } = {}): Promise<Page> {
  const url = new URL(address, "https://localhost");
  const handler = from.get(url.pathname);
  if (handler === undefined) throw new Error(`${url.pathname} is not served`);
  return handler.answer({
    query: url.searchParams,
    verb: handler.verbs[0] ?? "",
    body: () => Promise.resolve(body),
  });
}

async function work(forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  while (performance.now() < until) Math.sqrt(until);
}
