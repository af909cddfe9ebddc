import { describe, expect, it } from "vitest";
import { CHANGE_KINDS } from "../plan.ts";
import { changeDone } from "./change-done.ts";

const NODE = { kind: "Node", name: "node-3", uid: "u-3" } as const;

describe("the text for a change that was made", () => {
  it("names a deleted node by its UID and the deletion's preconditions", () => {
    const before = { uid: "8f2c", providerID: "sandbox://i-3" };
    expect(changeDone({ kind: "node.delete", target: NODE, before, after: null })).toBe(
      "node-3: deleted (uid 8f2c, precondition uid and resourceVersion)",
    );
  });

  it("shows each member that differs", () => {
    const before = { podCIDRs: [] };
    const after = { podCIDRs: ["10.0.3.0/24", "fd00::/64"] };
    expect(changeDone({ kind: "node.pod-cidrs.write", target: NODE, before, after })).toBe(
      "node-3: pod ranges written (podCIDRs: none → 10.0.3.0/24 fd00::/64)",
    );
  });

  it("names the namespace, and nothing if nothing differs", () => {
    const target = { kind: "Service", namespace: "shop", name: "web" } as const;
    expect(changeDone({ kind: "service.finalizer.add", target, before: null, after: null })).toBe(
      "shop/web: finalizer added",
    );
  });

  it("shortens what is long", () => {
    const after = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`l${n}`, "x".repeat(500)]),
    );
    const text = changeDone({ kind: "node.labels.write", target: NODE, before: null, after });
    expect(text.length).toBeLessThan(1_300);
    expect(text).toMatch(/, 12 more\)$/);
  });

  it.each(CHANGE_KINDS)("%s has a text", (kind) => {
    expect(changeDone({ kind, target: NODE, before: null, after: null })).toMatch(/^node-3: \w/);
  });
});
