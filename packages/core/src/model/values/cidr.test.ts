import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  ADDRESS_BITS,
  type Cidr,
  contains,
  formatCidr,
  lastAddress,
  overlaps,
  parseAddress,
  parseCidr,
} from "./cidr.ts";

test.each([
  ["10.244.0.0/16", "10.244.0.0/16"],
  ["10.244.3.7/16", "10.244.0.0/16"],
  ["010.001.000.000/16", "10.1.0.0/16"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["255.255.255.255/32", "255.255.255.255/32"],
  ["fd00:120:0:0001::/64", "fd00:120:0:1::/64"],
  ["FD00::ABCD/128", "fd00::abcd/128"],
  ["fd00:0:0:1:0:0:0:1/128", "fd00:0:0:1::1/128"],
  ["1:0:0:2:0:0:3:4/128", "1::2:0:0:3:4/128"],
  ["1:2:3:4:5:6:0:8/128", "1:2:3:4:5:6:0:8/128"],
  ["::/0", "::/0"],
  ["::1/128", "::1/128"],
  ["64:ff9b::10.0.0.1/128", "64:ff9b::a00:1/128"],
  ["fd00:1:2:3:4:5:6:7/48", "fd00:1:2::/48"],
])("%s is the range %s", (text, canonical) => {
  const cidr = parseCidr(text);
  expect(cidr && formatCidr(cidr)).toBe(canonical);
});

test.each([
  ["10.1.2.3", { family: "IPv4", text: "10.1.2.3" }],
  ["010.001.002.003", { family: "IPv4", text: "10.1.2.3" }],
  ["2001:DB8:0::0001", { family: "IPv6", text: "2001:db8::1" }],
  ["::ffff:1.2.3.4", { family: "IPv6", text: "::ffff:102:304" }],
])("%s is an address", (text, address) => {
  expect(parseAddress(text)).toEqual(address);
});

test.each(["", "web.example", "10.1.2", "10.1.2.256", "10.1.2.3/32", " 10.1.2.3", "fe80::1%eth0"])(
  "%j is no address",
  (text) => {
    expect(parseAddress(text)).toBeUndefined();
  },
);

test.each([
  "",
  "10.0.0.0",
  "10.0.0.0/",
  "10.0.0.0/33",
  "10.0.0.0/-1",
  "10.0.0.0/8/8",
  "10.0.0/8",
  "10.0.0.256/8",
  "10.0.0.x/8",
  "fd00::/129",
  "fd00::1::/64",
  "fd00:1:2:3:4:5:6:7:8/64",
  "fd00:1:2:3:4:5:6/64",
  "1:2:3:4:5:6:7::8:9/64",
  "fd00::12345/64",
  "fe80::1%eth0/64",
  "::1.2.3/128",
  "1.2.3.4::/96",
  "/24",
  "pods",
])("%j is not a range", (text) => {
  expect(parseCidr(text)).toBeUndefined();
});

function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  if (parsed === undefined) throw new Error(`${text} is no range`);
  return parsed;
}

test.each([
  ["10.0.0.0/8", "10.1.0.0/16", { within: true, over: true }],
  ["10.1.0.0/16", "10.0.0.0/8", { within: false, over: true }],
  ["10.1.0.0/16", "10.1.0.0/16", { within: true, over: true }],
  ["10.1.0.0/16", "10.2.0.0/16", { within: false, over: false }],
  ["fd00::/48", "fd00:0:0:5::/64", { within: true, over: true }],
  ["::/0", "0.0.0.0/0", { within: false, over: false }],
])("whether %s contains and overlaps %s", (one, other, { within, over }) => {
  expect(contains(cidr(one), cidr(other))).toBe(within);
  expect(overlaps(cidr(one), cidr(other))).toBe(over);
});

const someCidr = fc.constantFrom("IPv4" as const, "IPv6" as const).chain((family) => {
  const width = ADDRESS_BITS[family];
  return fc
    .tuple(fc.bigInt(0n, (1n << BigInt(width)) - 1n), fc.integer({ min: 0, max: width }))
    .map(([value, bits]): Cidr => {
      const host = BigInt(width - bits);
      return { family, first: (value >> host) << host, bits };
    });
});

describe("any range", () => {
  it("is read as it was written", () => {
    fc.assert(
      fc.property(someCidr, (range) => {
        expect(cidr(formatCidr(range))).toEqual(range);
      }),
    );
  });

  it("is written like addresses in the URL standard", () => {
    fc.assert(
      fc.property(someCidr, (range) => {
        const [address = ""] = formatCidr(range).split("/");
        const host = range.family === "IPv6" ? `[${address}]` : address;
        expect(new URL(`http://${host}/`).hostname).toBe(host);
      }),
    );
  });

  it("overlaps another only if one contains the other", () => {
    fc.assert(
      fc.property(someCidr, someCidr, (one, other) => {
        expect(overlaps(one, other)).toBe(contains(one, other) || contains(other, one));
      }),
    );
  });

  it("contains as many addresses as its mask leaves", () => {
    fc.assert(
      fc.property(someCidr, (range) => {
        const { family, first, bits } = range;
        expect(lastAddress(range) - first + 1n).toBe(2n ** BigInt(ADDRESS_BITS[family] - bits));
      }),
    );
  });
});
