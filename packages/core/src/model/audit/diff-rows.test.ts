import { describe, expect, it } from "vitest";
import { diffRows } from "./diff-rows.ts";

describe("before and after", () => {
  it("shows only what differs, by path", () => {
    expect(
      diffRows(
        { spec: { providerID: null, podCIDR: "10.0.0.0/24" } },
        { spec: { providerID: "sandbox://i-1", podCIDR: "10.0.0.0/24" } },
      ),
    ).toEqual([{ path: "spec › providerID", before: undefined, after: "sandbox://i-1" }]);
  });

  it("is empty for equal values, whatever the order of members", () => {
    expect(diffRows({ a: 1, b: [1] }, { b: [1], a: 1 })).toEqual([]);
  });

  it("shows a list as its items, one per line", () => {
    const before = { addresses: [] };
    const after = {
      addresses: [
        { type: "InternalIP", address: "10.0.0.1" },
        { type: "Hostname", address: "w-1" },
      ],
    };
    expect(diffRows(before, after)).toEqual([
      { path: "addresses", before: "", after: "InternalIP 10.0.0.1\nHostname w-1" },
    ]);
  });

  it("shows what is removed as it was before, and what is added as it is afterwards", () => {
    const after = { members: { added: ["w-1"], removed: ["w-7", "w-8"], count: 5 } };
    expect(diffRows({ members: { count: 6 } }, after)).toEqual([
      { path: "members › count", before: "6", after: "5" },
      { path: "members › added", before: undefined, after: "w-1" },
      { path: "members › removed", before: "w-7\nw-8", after: undefined },
    ]);
  });

  it("shows what a deletion takes", () => {
    expect(diffRows({ name: "w-1", uid: "u1" }, null)).toEqual([
      { path: "name", before: "w-1", after: undefined },
      { path: "uid", before: "u1", after: undefined },
    ]);
  });
});
