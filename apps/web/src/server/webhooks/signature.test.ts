import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newSecret, signatureOf } from "./signature.ts";

describe("a signature", () => {
  it("covers the time and the body with each secret", () => {
    const hex = (secret: string) =>
      createHmac("sha256", secret).update('1764200000.{"a":1}').digest("hex");
    const signed = signatureOf('{"a":1}', { secrets: ["new", "old"], timestamp: 1_764_200_000 });
    expect(signed).toBe(`t=1764200000,v1=${hex("new")},v1=${hex("old")}`);
  });

  it("uses a secret that cannot be guessed", () => {
    expect(newSecret()).toMatch(/^whsec_[\w-]{43}$/);
    expect(newSecret()).not.toBe(newSecret());
  });
});
