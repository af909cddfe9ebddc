import { describe, expect, test } from "vitest";
import { sharedReads } from "./shared-reads.ts";

/** A read whose answers the test gives by hand, in the order of the reads. */
function reader() {
  const begun: Begun[] = [];
  const read = () =>
    new Promise<string>((resolve, reject) => {
      begun.push({ resolve, reject });
    });
  return { begun, read };
}

interface Begun {
  readonly resolve: (answer: string) => void;
  readonly reject: (error: Error) => void;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("callers who ask for the same thing at the same time", () => {
  test("share one answer, read after all of them have asked", async () => {
    const { begun, read } = reader();
    const share = sharedReads<string>();
    const first = share("nodes", read);
    const others = [share("nodes", read), share("nodes", read), share("nodes", read)];
    expect(begun).toHaveLength(1);
    begun[0]?.resolve("before");
    expect(await first).toBe("before");
    await settled();
    expect(begun).toHaveLength(2);
    const late = share("nodes", read);
    begun[1]?.resolve("after");
    expect(await Promise.all(others)).toEqual(["after", "after", "after"]);
    await settled();
    begun[2]?.resolve("later");
    expect(await late).toBe("later");
    expect(begun).toHaveLength(3);
  });

  test("are answered although the previous read failed, and fail only with their own read", async () => {
    const { begun, read } = reader();
    const share = sharedReads<string>();
    const first = share("nodes", read);
    const others = [share("nodes", read), share("nodes", read)];
    begun[0]?.reject(new Error("the database is gone"));
    await expect(first).rejects.toThrow("the database is gone");
    await settled();
    begun[1]?.resolve("there again");
    expect(await Promise.all(others)).toEqual(["there again", "there again"]);
  });
});

test("callers who ask for something else, or while nothing is being read, get a read at once", async () => {
  const { begun, read } = reader();
  const share = sharedReads<string>();
  const nodes = share("nodes", read);
  const routes = share("routes", read);
  expect(begun).toHaveLength(2);
  begun[0]?.resolve("nodes");
  begun[1]?.resolve("routes");
  expect(await Promise.all([nodes, routes])).toEqual(["nodes", "routes"]);
  await settled();
  void share("nodes", read);
  expect(begun).toHaveLength(3);
});
