import { expect, it } from "vitest";
import {
  canonicalAddress,
  cidrProblems,
  endpointIpProblems,
  ipProblems,
  ipWarnings,
} from "./ip-rules.ts";

const whys = (problems: readonly { readonly message: string }[]) =>
  problems.map(({ message }) => message.replace(/^Invalid value: "[^"]*": /, ""));

it.each(["10.0.0.1", "2001:db8::1", "2001:DB8:0:0::1", "::"])("takes the address %s", (address) => {
  expect(ipProblems("f", address)).toEqual([]);
});

it.each([
  ["", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"],
  ["10.0.0", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"],
  ["10.0.0.256", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"],
  ["010.0.0.1", "must not have leading 0s"],
  ["::ffff:10.0.0.1", "must not be an IPv4-mapped IPv6 address"],
])("refuses the address %j", (address, why) => {
  expect(whys(ipProblems("f", address))).toEqual([why]);
  expect(ipProblems("f", address, [address])).toEqual([]);
});

it.each(["10.0.0.0/8", "0.0.0.0/0", "10.0.0.1/32", "2001:db8::/32", "::/0", "2001:db8::1/128"])(
  "takes the CIDR %s",
  (cidr) => {
    expect(cidrProblems("f", cidr)).toEqual([]);
  },
);

it.each([
  ["10.0.0.0", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"],
  ["10.0.0.0/33", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"],
  ["10.0.0.0/8/8", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"],
  ["10.0.0.0/08", "must not have leading 0s in IP or prefix length"],
  ["010.0.0.0/8", "must not have leading 0s in IP or prefix length"],
  ["::ffff:10.0.0.0/104", "must not have an IPv4-mapped IPv6 address"],
  ["10.0.0.1/8", "must not have bits set beyond the prefix length"],
  ["2001:db8::1/64", "must not have bits set beyond the prefix length"],
])("refuses the CIDR %s", (cidr, why) => {
  expect(whys(cidrProblems("f", cidr))).toEqual([why]);
});

it.each([
  ["0.0.0.0", "may not be unspecified (0.0.0.0)"],
  ["127.1.2.3", "may not be in the loopback range (127.0.0.0/8, ::1/128)"],
  ["169.254.0.1", "may not be in the link-local range (169.254.0.0/16, fe80::/10)"],
  ["febf::1", "may not be in the link-local range (169.254.0.0/16, fe80::/10)"],
  ["224.0.0.7", "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"],
  ["foo", "must be a valid IP address"],
])("sends no traffic to %s", (address, why) => {
  expect(whys(endpointIpProblems("f", address))).toEqual([why]);
});

it("warns only of an unusual spelling", () => {
  expect(ipWarnings("f", "2001:DB8::1")).toEqual([
    'f: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
  ]);
  expect(ipWarnings("f", canonicalAddress("2001:DB8::1"))).toEqual([]);
  expect(ipWarnings("f", "10.0.0.1")).toEqual([]);
});
