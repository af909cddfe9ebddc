import { expect, it } from "vitest";
import { overlaps } from "../../../model/values/cidr.ts";
import { RangeIndex } from "./claims.ts";
import { type IpRange, ipRangeOf } from "./pod-ranges.ts";

function range(text: string): IpRange {
  const found = ipRangeOf(text);
  if (found === undefined) throw new Error(`${text} is no range`);
  return found;
}

function indexOf(ranges: Readonly<Record<string, string>>): RangeIndex {
  const index = new RangeIndex();
  for (const [name, text] of Object.entries(ranges)) index.add(name, range(text));
  return index;
}

const NESTED = {
  all: "10.0.0.0/8",
  wide: "10.0.0.0/15",
  one: "10.0.1.0/24",
  twin: "10.0.1.0/24",
  lower: "10.0.1.0/25",
  upper: "10.0.1.128/25",
  next: "10.0.2.0/24",
  far: "10.9.0.0/24",
  six: "fd00::/48",
  part: "fd00:0:0:1::/64",
};

it.each<[string, readonly string[]]>([
  ["10.0.1.0/24", ["all", "wide", "one", "twin", "lower", "upper"]],
  ["10.0.1.64/26", ["all", "wide", "one", "twin", "lower"]],
  ["10.0.0.0/16", ["all", "wide", "one", "twin", "lower", "upper", "next"]],
  ["0.0.0.0/0", ["all", "wide", "one", "twin", "lower", "upper", "next", "far"]],
  ["11.0.0.0/8", []],
  ["fd00:0:0:1::/64", ["six", "part"]],
  ["::/0", ["six", "part"]],
])("finds who has a part of %s", (text, names) => {
  expect(indexOf(NESTED).overlapping(range(text)).toSorted()).toEqual(names.toSorted());
});

it("finds who has exactly one range, and none that has given it up", () => {
  const index = indexOf(NESTED);
  expect(index.having(range("10.0.1.0/24"))).toEqual(["one", "twin"]);
  index.remove("one", range("10.0.1.0/24"));
  index.remove("lower", range("10.0.1.0/25"));
  index.remove("nobody", range("10.0.9.0/24"));
  expect(index.having(range("10.0.1.0/24"))).toEqual(["twin"]);
  expect(index.overlapping(range("10.0.1.0/26"))).toEqual(["all", "wide", "twin"]);
});

it("finds the same as a search through all of them", () => {
  const ranges = Object.fromEntries(
    Array.from({ length: 600 }, (_, at) => {
      const bits = 16 + ((at * 7) % 13);
      return [`n${at}`, `10.${(at * 37) % 8}.${(at * 91) % 256}.${(at * 53) % 256}/${bits}`];
    }),
  );
  const index = indexOf(ranges);
  const all = Object.entries(ranges).map(([name, text]) => [name, range(text)] as const);
  for (const [, one] of all) {
    const wanted = all.filter(([, other]) => overlaps(one, other));
    expect(index.overlapping(one).toSorted()).toEqual(wanted.map(([name]) => name).toSorted());
  }
});
