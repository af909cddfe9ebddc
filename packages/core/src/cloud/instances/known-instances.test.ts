import { describe, expect, it } from "vitest";
import { byName, FRESH, fixture, run, SINGLE } from "../testing/instance-directory-fixture.ts";

describe("what an instance directory returns again", () => {
  it("returns again what it found, by the reference and by the provider ID, until it is too old", async () => {
    const { clock, asked, there, directory } = fixture();
    there.add("w-1");
    const { lookups, steps } = run(directory, clock.now());
    const first = lookups.lookup(byName("w-1"), FRESH);
    await clock.advance(100);
    await first;
    const byId = { nodeName: "w-1", providerID: "sandbox://w-1" };
    expect(await lookups.lookup(byName("w-1"), FRESH)).toMatchObject({ kind: "found" });
    expect(await lookups.lookup(byId, FRESH)).toMatchObject({ kind: "found" });
    expect(steps).toHaveLength(1);
    await clock.advance(9_900);
    const late = lookups.lookup(byName("w-1"), FRESH);
    await clock.advance(100);
    await late;
    expect(asked).toHaveLength(2);
  });

  it("gives a node that was seen later nothing that was requested before, known or in progress", async () => {
    const { clock, asked, there, directory } = fixture();
    there.add("w-1");
    const { lookups } = run(directory, clock.now());
    const seenAt = () => ({ ...FRESH, notBefore: clock.monotonic() });
    const first = lookups.lookup(byName("w-1"), seenAt());
    await clock.advance(100);
    await first;
    const second = lookups.lookup(byName("w-1"), seenAt());
    await clock.advance(50);
    const third = lookups.lookup(byName("w-1"), seenAt());
    await clock.advance(50);
    expect(await second).toMatchObject({ requestId: "r-2" });
    await clock.advance(100);
    expect(await third).toMatchObject({ requestId: "r-3" });
    expect(asked).toHaveLength(3);
  });

  it("gives a node that was seen before a call started that call's answer, both when it is known and while it is in progress", async () => {
    const { clock, asked, there, directory } = fixture();
    there.add("w-1");
    const { lookups } = run(directory, clock.now());
    const seenBefore = { ...FRESH, notBefore: clock.monotonic() };
    await clock.advance(10);
    const first = lookups.lookup(byName("w-1"), FRESH);
    await clock.advance(50);
    const joined = lookups.lookup(byName("w-1"), seenBefore);
    await clock.advance(50);
    await Promise.all([first, joined]);
    await clock.advance(5_000);
    expect(await lookups.lookup(byName("w-1"), seenBefore)).toMatchObject({ requestId: "r-1" });
    expect(asked).toHaveLength(1);
  });

  it("never uses a negative answer again", async () => {
    const { clock, asked, there, directory } = fixture();
    const { lookups } = run(directory, clock.now());
    const first = lookups.lookup(byName("w-1"), FRESH);
    await clock.advance(100);
    expect(await first).toMatchObject({ kind: "notListed" });
    there.add("w-1");
    const second = lookups.lookup(byName("w-1"), FRESH);
    await clock.advance(100);
    expect(await second).toMatchObject({ kind: "found" });
    expect(asked).toHaveLength(2);
  });

  it("lets a lookup join a call in progress, but takes only a found instance from it", async () => {
    const { clock, asked, there, directory } = fixture();
    there.add("w-1");
    const { lookups } = run(directory, clock.now());
    const early = [lookups.lookup(byName("w-1"), FRESH), lookups.lookup(byName("w-2"), FRESH)];
    await clock.advance(50);
    const joined = lookups.lookup(byName("w-1"), FRESH);
    const late = lookups.lookup(byName("w-2"), FRESH);
    there.add("w-2");
    await clock.advance(50);
    expect(await Promise.all([...early, joined])).toMatchObject([
      { kind: "found" },
      { kind: "notListed" },
      { kind: "found" },
    ]);
    await clock.advance(200);
    expect(await late).toMatchObject({ kind: "found", facts: { name: "w-2" } });
    expect(asked.map(({ refs }) => refs)).toEqual([["name:w-1", "name:w-2"], ["name:w-2"]]);
  });

  it("reads alone what must be read alone, whatever is known or in progress", async () => {
    const { clock, asked, there, directory } = fixture();
    there.add("w-1");
    const { lookups } = run(directory, clock.now());
    const answers = [
      lookups.lookup(byName("w-1"), FRESH),
      lookups.lookup(byName("w-1"), SINGLE),
      lookups.lookup(byName("w-1"), SINGLE),
    ];
    await clock.advance(100);
    await Promise.all(answers);
    const again = lookups.lookup(byName("w-1"), SINGLE);
    await clock.advance(100);
    await again;
    const alone = asked.filter(({ mode }) => mode === "single");
    expect([alone.length, asked.length]).toEqual([3, 4]);
  });
});
