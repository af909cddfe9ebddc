import { describe, expect, it } from "vitest";
import { addressProblem, parseWebhookUrl } from "./address-rules.ts";

const NEVER = [
  "169.254.169.254",
  "169.254.0.1",
  "100.100.100.200",
  "168.63.129.16",
  "fe80::1",
  "fe80::1%eth0",
  "fd00:ec2::254",
  "fd20:ce::254",
  "224.0.0.1",
  "255.255.255.255",
  "ff02::1",
  "::ffff:169.254.169.254",
  "::ffff:a9fe:a9fe",
  "::169.254.169.254",
  "64:ff9b::169.254.169.254",
  "2002:a9fe:a9fe::1",
];
const PRIVATE = [
  "127.0.0.1",
  "127.255.0.9",
  "0.0.0.0",
  "10.1.2.3",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "100.64.0.1",
  "198.18.0.1",
  "::1",
  "::",
  "fc00::1",
  "fd12:3456::1",
  "::ffff:127.0.0.1",
  "64:ff9b::10.0.0.1",
  "2002:0a00:0001::1",
];
const PUBLIC = ["198.51.100.7", "172.32.0.1", "2001:db8::1", "::ffff:198.51.100.7", "8.8.8.8"];

describe("an address", () => {
  it.each(NEVER)("%s is never connected to", (address) => {
    for (const privateAllowed of [true, false]) {
      expect(addressProblem(address, { privateAllowed })).toMatch(/link-local, metadata/);
    }
  });

  it.each(PRIVATE)("%s is connected to only if that is allowed", (address) => {
    expect(addressProblem(address, { privateAllowed: false })).toMatch(/CLOUDWRIGHT_WEBHOOKS/);
    expect(addressProblem(address, { privateAllowed: true })).toBeUndefined();
  });

  it.each(PUBLIC)("%s is connected to", (address) => {
    expect(addressProblem(address, { privateAllowed: false })).toBeUndefined();
  });

  it("that is malformed is refused", () => {
    expect(addressProblem("localhost", { privateAllowed: true })).toMatch(/not an address/);
  });
});

describe("a URL", () => {
  it.each(["ftp://example.org", "file:///etc/passwd", "javascript:alert(1)", "example.org", ""])(
    "%j is refused",
    (text) => expect(() => parseWebhookUrl(text)).toThrow(/https:\/\/ or http:\/\//),
  );

  it("with a user in it is refused", () => {
    expect(() => parseWebhookUrl("https://a:b@example.org/")).toThrow(/user name/);
  });

  it("is kept without its fragment", () => {
    expect(parseWebhookUrl(" https://example.org/a?b=c#d ").href).toBe("https://example.org/a?b=c");
  });
});
