import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { untilSignal } from "./until-signal.mjs";

function waiting() {
  const from = new EventEmitter();
  const reported: string[] = [];
  const at = { ms: 0 };
  const signalled: Promise<string> = untilSignal({
    from,
    now: () => at.ms,
    onFirst: () => reported.push("in order"),
    onSecond: () => reported.push("at once"),
  });
  return { from, reported, at, signalled };
}

it("treats a Ctrl-C that npm forwards as one, so that everything ends in order", async () => {
  const { from, reported, at, signalled } = waiting();
  from.emit("SIGINT");
  at.ms = 20;
  from.emit("SIGINT");
  expect(await signalled).toBe("signalled");
  expect(reported).toEqual(["in order"]);
});

it("ends everything immediately when asked again", async () => {
  const { from, reported, at, signalled } = waiting();
  from.emit("SIGTERM");
  at.ms = 1_000;
  from.emit("SIGINT");
  await signalled;
  expect(reported).toEqual(["in order", "at once"]);
});
