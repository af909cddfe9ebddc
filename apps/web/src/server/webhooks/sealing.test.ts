import { describe, expect, it } from "vitest";
import { seal, unseal } from "./sealing.ts";

const SECRET = "a secret of more than 32 characters";

describe("a sealed text", () => {
  it("is readable with the same secret, and differs each time", () => {
    const sealed = seal("https://example.org/ü", SECRET);
    expect(sealed).not.toContain("example");
    expect(unseal(sealed, SECRET)).toBe("https://example.org/ü");
    expect(seal("https://example.org/ü", SECRET)).not.toBe(sealed);
  });

  it.each([
    ["another secret", seal("text", `${SECRET}!`)],
    ["a changed text", seal("text", SECRET).replace(/^./, (one) => (one === "A" ? "B" : "A"))],
    ["a cut text", seal("text", SECRET).slice(0, -4)],
    ["a cut tag", seal("text", SECRET).slice(0, 20)],
    ["no sealed text", "text"],
  ])("is not readable with %s", (_what, sealed) => {
    expect(() => unseal(sealed, SECRET)).toThrow(/another CLOUDWRIGHT_AUTH_SECRET/);
  });
});
