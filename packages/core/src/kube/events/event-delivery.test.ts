import { describe, expect, it } from "vitest";
import { KubeError, type KubeErrorCode } from "../errors.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { createEventDelivery } from "./event-delivery.ts";

function failure(code: KubeErrorCode): KubeError {
  return new KubeError(code, "it is so in this test", { verb: "create", resource: "events" });
}

function createQueue(send: (item: string) => Promise<void>, random = 0.5) {
  const clock = createManualClock();
  const errors: unknown[] = [];
  const drops: number[] = [];
  const delivery = createEventDelivery<string>({
    send,
    clock,
    random: () => random,
    onError: (error) => errors.push(error),
    onDrop: (count) => drops.push(count),
  });
  return { clock, delivery, errors, drops };
}

describe("the delivery of events", () => {
  it("never makes the caller wait, and sends eight at a time in order", async () => {
    const started: string[] = [];
    const finish: (() => void)[] = [];
    const { clock, delivery } = createQueue((item) => {
      started.push(item);
      return new Promise((resolve) => finish.push(resolve));
    });
    for (let index = 0; index < 20; index += 1) delivery.enqueue(`e${index}`);
    await clock.advance(0);
    expect(started).toEqual(["e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7"]);
    finish[0]?.();
    await clock.advance(0);
    expect(started.at(-1)).toBe("e8");
  });

  it("delays what is not urgent while there is more important work, and sends the urgent at once", async () => {
    const sent: string[] = [];
    const clock = createManualClock();
    let isBusy = true;
    const delivery = createEventDelivery<string>({
      send: async (item) => void sent.push(`${item} ${clock.monotonic()}`),
      clock,
      random: () => 0.5,
      isUrgent: (item) => item.startsWith("warning"),
      isBusy: () => isBusy,
      onError: () => undefined,
      onDrop: () => undefined,
    });
    for (const item of ["a", "b", "c", "d", "warning"]) delivery.enqueue(item);
    await clock.advance(600);
    expect(sent).toEqual(["a 0", "warning 0", "b 250", "c 500"]);
    isBusy = false;
    await clock.advance(250);
    expect(sent.at(-1)).toBe("d 750");
    isBusy = true;
    delivery.enqueue("e");
    delivery.enqueue("f");
    delivery.enqueue("g");
    expect(await delivery.flush(1_000)).toEqual([]);
    expect(sent).toHaveLength(8);
  });

  it("stops yielding before its queue is full", async () => {
    const clock = createManualClock();
    let sent = 0;
    const delivery = createEventDelivery<string>({
      send: async () => {
        sent += 1;
      },
      clock,
      random: () => 0.5,
      isUrgent: () => false,
      isBusy: () => true,
      onError: () => undefined,
      onDrop: () => undefined,
    });
    for (let index = 0; index < 6_000; index += 1) delivery.enqueue(`e${index}`);
    await clock.advance(0);
    expect(sent).toBeGreaterThanOrEqual(1_000);
    expect(delivery.dropped).toBe(0);
  });

  it("resends an event that changes while it is sent once, not once for each change", async () => {
    const finish: (() => void)[] = [];
    let sent = 0;
    const { clock, delivery } = createQueue(() => {
      sent += 1;
      return new Promise((resolve) => finish.push(resolve));
    });
    for (let time = 0; time < 10; time += 1) delivery.enqueue("same");
    finish[0]?.();
    await clock.advance(0);
    finish[1]?.();
    await clock.advance(0);
    expect(sent).toBe(2);
  });

  it("tries twelve times, first after a random pause and then every ten seconds, and counts the loss", async () => {
    const at: number[] = [];
    const { clock, delivery, errors, drops } = createQueue(async () => {
      at.push(clock.monotonic());
      throw failure("Unavailable");
    });
    delivery.enqueue("lost");
    await clock.advance(600_000);
    expect(at).toEqual([
      0, 5_000, 15_000, 25_000, 35_000, 45_000, 55_000, 65_000, 75_000, 85_000, 95_000, 105_000,
    ]);
    expect(delivery.dropped).toBe(1);
    expect(drops).toEqual([1]);
    expect(errors).toHaveLength(1);
  });

  it.each<KubeErrorCode>(["Invalid", "Forbidden", "NotFound"])(
    "does not send again what was refused as %s",
    async (code) => {
      let tries = 0;
      const { clock, delivery } = createQueue(async () => {
        tries += 1;
        throw failure(code);
      });
      delivery.enqueue("refused");
      await clock.advance(600_000);
      expect(tries).toBe(1);
      expect(delivery.dropped).toBe(1);
    },
  );

  it("drops the oldest of more than ten thousand, and counts the loss", async () => {
    const sent: string[] = [];
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { delivery, clock } = createQueue(async (item) => {
      await gate;
      sent.push(item);
    });
    for (let index = 0; index < 10_018; index += 1) delivery.enqueue(`e${index}`);
    expect(delivery.dropped).toBe(10);
    open();
    expect(await delivery.flush(1_000)).toEqual([]);
    expect(sent).toHaveLength(10_008);
    // The first eight were being sent; the ten after them were the oldest that waited.
    expect(sent.slice(7, 10)).toEqual(["e7", "e18", "e19"]);
    expect(clock.pending).toBe(0);
  });

  it("flushes: ends long pauses, retries soon, and returns what is left at the deadline", async () => {
    const outage = new Set(["now"]);
    const sent: string[] = [];
    const { clock, delivery } = createQueue(async (item) => {
      if (outage.size > 0) throw failure("Unavailable");
      sent.push(item);
    });
    delivery.enqueue("one");
    delivery.enqueue("two");
    await clock.advance(1);
    const inVain = delivery.flush(2_000);
    await clock.advance(2_000);
    expect(await inVain).toEqual(["one", "two"]);
    outage.clear();
    const flushed = delivery.flush(2_000);
    await clock.advance(300);
    expect(await flushed).toEqual([]);
    expect(sent).toEqual(["one", "two"]);
  });

  it("flushes many at a time", async () => {
    const finish: (() => void)[] = [];
    const { clock, delivery } = createQueue(() => new Promise((resolve) => finish.push(resolve)));
    for (let index = 0; index < 100; index += 1) delivery.enqueue(`e${index}`);
    await clock.advance(0);
    expect(finish).toHaveLength(8);
    void delivery.flush(60_000);
    expect(finish).toHaveLength(32);
  });

  it("continues a flush as long as some get through, and no longer", async () => {
    const clock = createManualClock();
    const outage = new Set<string>();
    const delivery = createEventDelivery<string>({
      send: () =>
        new Promise((resolve, reject) => {
          clock.after(1_500, () => (outage.size > 0 ? reject(failure("Unavailable")) : resolve()));
        }),
      clock,
      random: () => 0.5,
      onError: () => undefined,
      onDrop: () => undefined,
    });
    for (let index = 0; index < 200; index += 1) delivery.enqueue(`e${index}`);
    const flushed = delivery.flush(60_000);
    await clock.advance(4_500);
    outage.add("now");
    await clock.advance(2_000);
    expect(await flushed).toHaveLength(200 - 8 - 3 * 32 + 8);
  });

  it("has nothing to wait for when nothing is queued", async () => {
    const { delivery } = createQueue(async () => undefined);
    expect(await delivery.flush(1_000)).toEqual([]);
  });
});
