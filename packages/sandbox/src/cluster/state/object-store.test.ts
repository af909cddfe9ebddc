import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CompactedError, ObjectStore } from "./object-store.ts";
import type { StoreChange } from "./revision.ts";

const ALL = { storage: "things", prefix: "" };
const named = (name: string, value = "") => ({ metadata: { name, annotations: { value } } });

describe("the object store", () => {
  let folder: string;
  let store: ObjectStore;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "object-store-"));
    store = new ObjectStore(folder);
  });
  afterEach(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const put = (key: string, value?: string) => store.put("things", key, named(key, value));
  const keys = () => store.list(ALL).revisions.map(({ key }) => key);

  it("gives each write the next version, across all kinds", () => {
    const first = put("a").version;
    expect(store.put("others", "b", named("b")).version).toBe(first + 1);
    expect(store.remove("things", "a")?.version).toBe(first + 2);
    expect(store.version).toBe(first + 2);
  });

  it("lists in the order of keys, within a prefix", () => {
    for (const key of ["ns/b", "ns/a", "other/c", "ns-2/d"]) put(key);
    expect(keys()).toEqual(["ns-2/d", "ns/a", "ns/b", "other/c"]);
    const some = store.list({ storage: "things", prefix: "ns/" }).revisions;
    expect(some.map(({ key }) => key)).toEqual(["ns/a", "ns/b"]);
  });

  it("shows a list as it was at an earlier version", () => {
    put("a", "1");
    put("b", "1");
    const version = store.version;
    put("a", "2");
    store.remove("things", "b");
    put("c");
    const then = store.listAt(ALL, version).revisions;
    expect(then.map(({ key, object }) => [key, object.metadata.annotations?.value])).toEqual([
      ["a", "1"],
      ["b", "1"],
    ]);
  });

  it("notifies listeners of each change with the earlier object", () => {
    const seen: StoreChange[] = [];
    const stop = store.listen((change) => seen.push(change));
    put("a", "1");
    put("a", "2");
    store.remove("things", "a");
    stop();
    put("a", "3");
    expect(seen.map(({ kind }) => kind)).toEqual(["added", "modified", "deleted"]);
    expect(seen[2]?.revision.object.metadata.resourceVersion).toBe(String(seen[2]?.version));
    expect(seen[2]?.previous?.object.metadata.annotations?.value).toBe("2");
  });

  it("refuses versions from before a compaction and keeps later ones", () => {
    put("a");
    const old = store.version - 1;
    store.compact();
    put("b");
    expect(() => store.changesSince(ALL, old)).toThrow(CompactedError);
    expect(store.changesSince(ALL, store.version - 1)).toHaveLength(1);
  });

  it("is the same after being reopened, including its history", () => {
    put("a", "1");
    const version = store.version;
    put("a", "2");
    put("b");
    store.remove("things", "b");
    const { json } = store.get("things", "a") ?? {};
    store.close();
    store = new ObjectStore(folder);
    expect(store.get("things", "a")?.json).toBe(json);
    expect(keys()).toEqual(["a"]);
    expect(store.changesSince(ALL, version).map(({ kind }) => kind)).toEqual([
      "modified",
      "added",
      "deleted",
    ]);
    expect(put("c").version).toBe(version + 4);
  });

  it("is the same after being compacted and reopened", () => {
    put("a", "1");
    put("b");
    store.remove("things", "b");
    store.compact();
    const { version } = store;
    put("c");
    store.close();
    store = new ObjectStore(folder);
    expect(keys()).toEqual(["a", "c"]);
    expect(store.version).toBe(version + 1);
    expect(() => store.changesSince(ALL, version - 1)).toThrow(CompactedError);
  });

  it("cuts off what a killed process did not finish writing", () => {
    put("a");
    store.close();
    const path = join(folder, "journal.ndjson");
    appendFileSync(path, '{"op":"put","storage":"things","key":"torn');
    store = new ObjectStore(folder);
    expect(keys()).toEqual(["a"]);
    put("b");
    store.close();
    store = new ObjectStore(folder);
    expect(keys()).toEqual(["a", "b"]);
    expect(readFileSync(path, "utf8")).not.toContain("torn");
  });

  it("refuses a file that is not its own", () => {
    store.close();
    writeFileSync(join(folder, "journal.ndjson"), "hello\n");
    expect(() => new ObjectStore(folder)).toThrow("is not a journal of the sandbox cluster");
    rmSync(join(folder, "journal.ndjson"));
    store = new ObjectStore(folder);
  });
});
