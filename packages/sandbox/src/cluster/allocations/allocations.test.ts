import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ApiObject } from "../resources/metadata.ts";
import { ObjectStore } from "../state/object-store.ts";
import { AllocationError, Allocations, type Holdings } from "./allocations.ts";

interface Holder extends ApiObject {
  readonly holdings: Holdings;
}

const holder = (name: string, holdings: Partial<Holdings>): Holder => ({
  metadata: { name },
  holdings: { addresses: [], ports: [], ...holdings },
});

describe("assigning addresses and ports", () => {
  let folder: string;
  let store: ObjectStore;
  let allocations: Allocations;

  // These tests store only holders.
  const open = () => new Allocations(store, "holders", (object) => (object as Holder).holdings);
  const put = (name: string, holdings: Partial<Holdings>) =>
    store.put("holders", name, holder(name, holdings));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "allocations-"));
    store = new ObjectStore(folder);
    allocations = open();
  });
  afterEach(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ["IPv4", "10.96.0.5"],
    ["IPv4", "10.96.0.1"],
    ["IPv4", "10.96.255.254"],
    ["IPv6", "fd00:96::1"],
    ["IPv6", "fd00:96::f:ffff"],
  ] as const)("gives %s address %s to who asks for it", (family, address) => {
    expect(() => allocations.draft().takeAddress(family, address)).not.toThrow();
  });

  it.each([
    ["IPv4", "10.96.0.0", "does not match the current range"],
    ["IPv4", "10.96.255.255", "does not match the current range"],
    ["IPv4", "10.97.0.1", "does not match the current range"],
    ["IPv6", "fd00:96::", "does not match the current range"],
    ["IPv6", "fd00:96::10:0", "does not match the current range"],
    ["IPv4", "10.96.0.9", "already allocated"],
    ["IPv6", "fd00:96:0:0::0009", "already allocated"],
  ] as const)("refuses %s address %s", (family, address, why) => {
    put("a", { addresses: ["10.96.0.9", "fd00:96::9"] });
    expect(() => allocations.draft().takeAddress(family, address)).toThrow(why);
  });

  it.each([
    [29_999, "not in the valid range. The range of valid ports is 30000-32767"],
    [32_768, "not in the valid range"],
    [30_001, "already allocated"],
  ])("refuses port %i", (port, why) => {
    put("a", { ports: [30_001] });
    expect(() => allocations.draft().takePort(port)).toThrow(why);
  });

  it("chooses from the part that is not reserved for explicit requests", () => {
    const draft = allocations.draft();
    for (let count = 0; count < 200; count += 1) {
      const [, , third, fourth] = draft.nextAddress("IPv4").split(".").map(Number);
      expect(256 * (third ?? 0) + (fourth ?? 0)).toBeGreaterThan(256);
      expect(draft.nextPort()).toBeGreaterThanOrEqual(30_086);
    }
  });

  it("never chooses a taken one, nor the same twice in one write", () => {
    const last = Array.from({ length: 32_767 - 30_086 - 1 }, (_one, index) => 30_086 + index);
    put("a", { ports: last });
    const draft = allocations.draft();
    expect(new Set([draft.nextPort(), draft.nextPort()])).toEqual(new Set([32_766, 32_767]));
    expect(() => draft.takePort(32_766)).toThrow("already allocated");
    expect(draft.nextPort()).toBe(30_000);
  });

  it("reports when nothing is left", () => {
    put("a", { ports: Array.from({ length: 2_768 }, (_one, index) => 30_000 + index) });
    expect(() => allocations.draft().nextPort()).toThrow(new AllocationError("range is full"));
  });

  it("takes nothing before the object is stored", () => {
    allocations.draft().takePort(30_005);
    expect(() => allocations.draft().takePort(30_005)).not.toThrow();
  });

  it("releases what a change or a deletion gives up", () => {
    put("a", { addresses: ["10.96.0.9"], ports: [30_001, 30_002] });
    put("a", { addresses: ["10.96.0.9"], ports: [30_002] });
    allocations.draft().takePort(30_001);
    expect(() => allocations.draft().takePort(30_002)).toThrow("already allocated");
    store.remove("holders", "a");
    allocations.draft().takePort(30_002);
    allocations.draft().takeAddress("IPv4", "10.96.0.9");
  });

  it("is the same after being reopened", () => {
    put("a", { addresses: ["fd00:96::9"], ports: [30_001] });
    put("gone", { ports: [30_002] });
    store.remove("holders", "gone");
    store.close();
    store = new ObjectStore(folder);
    allocations = open();
    expect(() => allocations.draft().takePort(30_001)).toThrow("already allocated");
    expect(() => allocations.draft().takeAddress("IPv6", "fd00:96::9")).toThrow();
    allocations.draft().takePort(30_002);
  });
});
