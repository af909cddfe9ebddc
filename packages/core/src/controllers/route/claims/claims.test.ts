import { describe, expect, it, test } from "vitest";
import { CREATED_AT, node } from "../../testing/node-fixture.ts";
import { Claims } from "./claims.ts";
import { type IpRange, ipRangeOf } from "./pod-ranges.ts";

/** Later names have earlier UIDs. */
function claims(...nodes: readonly (readonly [name: string, age: number, ...string[]])[]): Claims {
  const all = new Claims();
  for (const [name, age, ...podCIDRs] of nodes) {
    const uid = `uid-${255 - name.charCodeAt(0)}`;
    all.set(node({ name, uid, createdAt: CREATED_AT + age, podCIDRs }));
  }
  return all;
}

function range(text: string): IpRange {
  const found = ipRangeOf(text);
  if (found === undefined) throw new Error(`${text} is no range`);
  return found;
}

test.each<[string, Claims, string, string | undefined]>([
  ["the only one that has it", claims(["n1", 0, "10.0.1.0/24"]), "10.0.1.0/24", "n1"],
  ["nobody", claims(["n1", 0, "10.0.1.0/24"]), "10.0.2.0/24", undefined],
  [
    "the older of two",
    claims(["young", 2_000, "10.0.1.0/24"], ["old", 1_000, "10.0.1.0/24"]),
    "10.0.1.0/24",
    "old",
  ],
  [
    "of two of one second the one whose name comes first, as for those who give ranges",
    claims(["b", 0, "10.0.1.0/24"], ["a", 0, "10.0.1.0/24"]),
    "10.0.1.0/24",
    "a",
  ],
  [
    "however it is written",
    claims(["n1", 0, "fd00:0:0:1::/64"]),
    "fd00:0000:0000:0001:0::/64",
    "n1",
  ],
  [
    "nobody when an older one has all of it",
    claims(["old", 0, "10.0.0.0/16"], ["young", 1_000, "10.0.1.0/24"]),
    "10.0.1.0/24",
    undefined,
  ],
  [
    "nobody when an older one has a part of it",
    claims(["old", 0, "10.0.1.0/24"], ["young", 1_000, "10.0.0.0/16"]),
    "10.0.0.0/16",
    undefined,
  ],
])("a range is for %s", (_who, ...[all, text, holder]) => {
  expect(all.holderOf(range(text))).toBe(holder);
});

describe("a rival", () => {
  it("is the older node, with its range", () => {
    const all = claims(["old", 0, "10.0.0.0/16"], ["young", 1_000, "10.0.1.0/24"]);
    expect(all.rivalOf("young", range("10.0.1.0/24"))).toEqual({
      name: "old",
      cidr: "10.0.0.0/16",
    });
    expect(all.rivalOf("old", range("10.0.0.0/16"))).toBeUndefined();
  });

  it("ends when it is gone", () => {
    const all = claims(["old", 0, "10.0.1.0/24"], ["young", 1_000, "10.0.1.0/24"]);
    all.remove("old");
    expect(all.rivalOf("young", range("10.0.1.0/24"))).toBeUndefined();
    expect(all.holderOf(range("10.0.1.0/24"))).toBe("young");
  });

  it("is not the node itself, whose own ranges may overlap", () => {
    const all = claims(["n1", 0, "10.0.0.0/16", "10.0.1.0/24"]);
    expect(all.rivalOf("n1", range("10.0.1.0/24"))).toBeUndefined();
  });
});

it("knows who shares a range or a part of it", () => {
  const all = claims(["n1", 0, "10.0.1.0/24"], ["n2", 1, "10.0.0.0/16"], ["n3", 2, "10.1.1.0/24"]);
  expect(all.sharing([range("10.0.1.0/25")])).toEqual(new Set(["n1", "n2"]));
});
