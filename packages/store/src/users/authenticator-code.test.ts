import { describe, expect, test } from "vitest";
import { appCode, STEP_MS } from "../../testing/app-code.ts";
import {
  authenticatorUri,
  isRecoveryCode,
  newRecoveryCodes,
  newSecret,
  openSecret,
  recoveryCodeHash,
  sealSecret,
  stepOfCode,
} from "./authenticator-code.ts";

/** `12345678901234567890`, the secret of RFC 6238, appendix B. */
const RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
/** The last six of the eight digits in the RFC. */
const RFC_CODES = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
] as const;

describe("the codes of RFC 6238", () => {
  test.each(RFC_CODES)("at %i s is %s", (seconds, code) => {
    const now = seconds * 1_000;
    expect(stepOfCode(code, { secret: RFC_SECRET, now })).toBe(Math.floor(seconds / 30));
    expect(appCode(RFC_SECRET, now)).toBe(code);
  });
});

describe("a code", () => {
  const now = 1_800_000_000_000;
  const secret = newSecret();
  const step = now / STEP_MS;

  test.each([
    ["two steps early", -2, undefined],
    ["one step early", -1, step - 1],
    ["in time", 0, step],
    ["one step late", 1, step + 1],
    ["two steps late", 2, undefined],
  ])("%s", (_, drift, expected) => {
    const code = appCode(secret, now + drift * STEP_MS);
    expect(stepOfCode(code, { secret, now })).toBe(expected);
  });

  test.each(["", "12345", "1234567", "abcdef", "١٢٣٤٥٦"])("is never “%s”", (code) => {
    expect(stepOfCode(code, { secret, now })).toBeUndefined();
  });
});

test("a QR code names the dashboard, the account and the secret", () => {
  const secret = newSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const uri = new URL(authenticatorUri(secret, "ana@example.org"));
  expect([uri.protocol, uri.host]).toEqual(["otpauth:", "totp"]);
  expect(decodeURIComponent(uri.pathname)).toBe("/Cloudwright:ana@example.org");
  expect(uri.searchParams.get("secret")).toBe(secret);
});

test("a sealed secret is opened only for its user and with the dashboard's secret", () => {
  const secret = newSecret();
  const owner = { userId: "ana", authSecret: "a secret of more than 32 characters" };
  const sealed = sealSecret(secret, owner);
  expect(sealed).not.toContain(secret);
  expect(openSecret(sealed, owner)).toBe(secret);
  expect(openSecret(sealed, { ...owner, userId: "bo" })).toBeUndefined();
  expect(openSecret(sealed, { ...owner, authSecret: `${owner.authSecret}!` })).toBeUndefined();
});

test("recovery codes are ten, all different, and typed with or without dashes in either case", () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    expect(isRecoveryCode(code)).toBe(true);
    const typed = ` ${code.toLowerCase().replaceAll("-", " ")}`;
    expect(recoveryCodeHash(typed)).toBe(recoveryCodeHash(code));
  }
  expect(isRecoveryCode("123 456")).toBe(false);
});
