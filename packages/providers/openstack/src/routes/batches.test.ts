import type { CallContext } from "@cloudwright/provider-api";
import { expect, it } from "vitest";
import { Batches, type Outcome } from "./batches.ts";

function context(signal = new AbortController().signal): CallContext {
  return { signal, call: async (_, send) => (await send(signal, () => true)).value };
}

/** Sends what it receives when the test says so. */
class Sender {
  readonly sent: (readonly string[])[] = [];
  #release: (() => void)[] = [];
  readonly batches = new Batches<string, string>(
    async (items, { signal }) => {
      this.sent.push(items);
      await new Promise<void>((resolve) => this.#release.push(resolve));
      signal.throwIfAborted();
      return items.map((result): Outcome<string> => ({ kind: "done", result }));
    },
    (left, right) => left[0] === right[0],
  );

  async release(): Promise<void> {
    await expect.poll(() => this.#release.length).toBeGreaterThan(0);
    this.#release.shift()?.();
  }
}

it("collects entries while a batch is in progress, each kind separately", async () => {
  const sender = new Sender();
  const first = sender.batches.join("a1", context());
  await expect.poll(() => sender.sent.length).toBe(1);
  const later = ["a2", "b1", "a3"].map((item) => sender.batches.join(item, context()));
  await sender.release();
  await sender.release();
  await sender.release();
  expect(await Promise.all([first, ...later])).toEqual(["a1", "a2", "b1", "a3"]);
  expect(sender.sent).toEqual([["a1"], ["a2", "a3"], ["b1"]]);
});

it("continues with the others if the run behind a batch ends", async () => {
  const sender = new Sender();
  const ends = new AbortController();
  const left = sender.batches.join("a1", context(ends.signal)).catch((error: unknown) => error);
  const stays = sender.batches.join("a2", context());
  await expect.poll(() => sender.sent.length).toBe(1);
  ends.abort(new Error("the run was ended"));
  await sender.release();
  await sender.release();
  expect(await left).toMatchObject({ message: "the run was ended" });
  expect(await stays).toBe("a2");
  expect(sender.sent).toEqual([["a1", "a2"], ["a2"]]);
});

it("sends nothing for a run that has ended", async () => {
  const sender = new Sender();
  const ended = context(AbortSignal.abort(new Error("the run was ended")));
  await expect(sender.batches.join("a1", ended)).rejects.toThrow("the run was ended");
  expect(sender.sent).toEqual([]);
});
