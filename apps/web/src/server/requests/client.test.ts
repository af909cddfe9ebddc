import { describe, expect, it } from "vitest";
import { addressOf, peerHeader } from "./client.ts";
import { parseProxies } from "./trusted-proxies.ts";

const PROXIES = "10.0.0.0/8, fd00::/8,192.0.2.1";

function from(peer: string | undefined, forwarded?: string): Headers {
  return new Headers({
    ...(peer === undefined ? {} : { [peerHeader()]: peer }),
    ...(forwarded === undefined ? {} : { "x-forwarded-for": forwarded }),
  });
}

describe("the address of a request", () => {
  it.each([
    ["that connects itself", from("203.0.113.9"), "203.0.113.9"],
    ["that says it were another", from("203.0.113.9", "198.51.100.1"), "203.0.113.9"],
    ["that came by our proxy", from("10.1.2.3", "198.51.100.1"), "198.51.100.1"],
    ["that lied to our proxy", from("10.1.2.3", "8.8.8.8, 198.51.100.1"), "198.51.100.1"],
    ["that came by two proxies", from("10.1.2.3", "198.51.100.1, 192.0.2.1"), "198.51.100.1"],
    ["that a proxy made itself", from("10.1.2.3"), "10.1.2.3"],
    ["whose proxy says nonsense", from("10.1.2.3", "<b>"), "10.1.2.3"],
    ["in IPv6", from("fd00::1", "2001:db8::7"), "2001:db8::7"],
    ["as an IPv4 address in IPv6", from("::ffff:10.1.2.3", "::ffff:198.51.100.1"), "198.51.100.1"],
    ["that nobody has seen", from(undefined, "198.51.100.1"), "unknown"],
  ])("%s", (_name, headers, address) => {
    expect(addressOf(headers, parseProxies(PROXIES))).toBe(address);
  });
});

it.each(["10.0.0.0/33", "proxy.example.org", "10.0.0.0/x", "::/129"])(
  "%s is no proxy's address",
  (text) => {
    expect(() => parseProxies(text)).toThrow(text);
  },
);
