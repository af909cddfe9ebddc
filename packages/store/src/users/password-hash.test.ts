import { describe, expect, test } from "vitest";
import { hashPassword, isPassword, newPasswordSchema } from "./password-hash.ts";

describe("a password", () => {
  test("is recognised by its hash, which has another salt each time", async () => {
    const [one, two] = await Promise.all([
      hashPassword("correct horse battery"),
      hashPassword("correct horse battery"),
    ]);
    expect(one).not.toBe(two);
    expect(await isPassword("correct horse battery", one)).toBe(true);
    expect(await isPassword("correct horse batterz", one)).toBe(false);
    expect(await isPassword("", one)).toBe(false);
    expect(one).not.toContain("horse");
  });

  test("is the same however its characters were encoded", async () => {
    const stored = await hashPassword("Zürich im Sommer".normalize("NFC"));
    expect(await isPassword("Zürich im Sommer".normalize("NFD"), stored)).toBe(true);
  });

  test("is never right without an account", async () => {
    expect(await isPassword("", undefined)).toBe(false);
    expect(await isPassword("correct horse battery", undefined)).toBe(false);
  });

  test.each([
    ["elevenchars", false],
    ["twelve chars", true],
    ["x".repeat(200), true],
    ["x".repeat(201), false],
    ["twelve\0chars!", false],
  ])("%j may be chosen: %s", (password, allowed) => {
    expect(newPasswordSchema.safeParse(password).success).toBe(allowed);
  });
});
