import { EventEmitter } from "node:events";
import { createManualClock, type ManualClock } from "@cloudwright/core/model/testing/manual-clock";
import { beforeEach, describe, expect, it } from "vitest";
import { type Program, stopSignal } from "./stop-signal.ts";

class FakeProgram extends EventEmitter implements Program {
  readonly send?: unknown;
  readonly exits: number[] = [];

  constructor(hasParent = false) {
    super();
    if (hasParent) this.send = () => true;
  }

  exit(code: number): void {
    this.exits.push(code);
  }
}

let clock: ManualClock;

beforeEach(() => {
  clock = createManualClock();
});

describe("the signal to stop", () => {
  it.each(["SIGTERM", "SIGINT"])("is %s, which it names", (signal) => {
    const program = new FakeProgram();
    const stop = stopSignal(program, clock);
    program.emit(signal);
    expect(stop.reason).toBe(signal);
    expect(program.exits).toEqual([]);
  });

  it.each([
    ["SIGTERM", "SIGTERM"],
    ["SIGINT", "SIGINT"],
    ["SIGINT", "SIGTERM"],
  ])(
    "that is repeated at once (%s, %s) counts once: the Lease is still released",
    async (first, second) => {
      const program = new FakeProgram();
      const stop = stopSignal(program, clock);
      program.emit(first);
      await clock.advance(999);
      program.emit(second);
      expect(stop.aborted).toBe(true);
      expect(program.exits).toEqual([]);
    },
  );

  it("that a user sends twice ends the process immediately", async () => {
    const program = new FakeProgram();
    stopSignal(program, clock);
    program.emit("SIGINT");
    await clock.advance(1_000);
    program.emit("SIGINT");
    expect(program.exits).toEqual([1]);
  });

  it("includes the death of the parent", async () => {
    const program = new FakeProgram(true);
    const stop = stopSignal(program, clock);
    program.emit("disconnect");
    expect(stop.reason).toBe("the parent process ended");
    await clock.advance(1_000);
    program.emit("SIGTERM");
    expect(program.exits).toEqual([1]);
  });
});
