import { describe, expect, it } from "vitest";
import { PIECES, slowPieces } from "../testing/hostile-text.ts";
import { masking, withoutSecrets } from "./secrets.ts";

describe("secrets in foreign text are masked", () => {
  it.each([
    [
      "invalid header Authorization: Bearer abc123DEF456",
      "invalid header Authorization: Bearer ***",
    ],
    ["sent authorization: Basic Ym9iOnBhc3M=", "sent authorization: Basic ***"],
    ["token=abc is not known", "token=*** is not known"],
    ["x-auth-token: gAAAAABk1234 has expired", "x-auth-token: *** has expired"],
    ['{"password":"correct horse","user":"bo"}', '{"password":"***","user":"bo"}'],
    ['{"client_secret" : "a\\"b", "x": 1}', '{"client_secret" : "***", "x": 1}'],
    ["GET https://bo:pa55@cloud.example/v1 failed", "GET https://***@cloud.example/v1 failed"],
    ["jwt eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl was refused", "jwt *** was refused"],
    ["api_key=k-1&limit=5", "api_key=***&limit=5"],
  ])("%s", (text, without) => {
    expect(withoutSecrets(text)).toBe(without);
  });

  it.each([
    "the token is not valid",
    "token: signature is invalid",
    'secrets "bo" is forbidden: User "x" cannot get resource',
    "basic authentication is off",
    "bearer authentication is required",
    "password must have 12 letters",
  ])("%s stays as it is", (text) => {
    expect(withoutSecrets(text)).toBe(text);
  });
});

describe("a long text", () => {
  it("that consists of ordinary words keeps its beginning and counts the rest", () => {
    const shown = withoutSecrets("a-".repeat(75_000));
    expect(shown).toMatch(/^(?:a-)+a?… \(\d+ more characters\)$/);
    expect(shown.length).toBeLessThanOrEqual(4_096);
    expect(withoutSecrets(shown)).toBe(shown);
  });

  /** Where a text is finally cut, and up to where it is scanned. */
  const CUTS = [4_060, 4_096, 8_192];
  const SECRETS: readonly (readonly [string, string])[] = [
    ['{"password":"correct horse battery staple"}', "correct"],
    ["jwt eyJhbGciOi.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl", "eyJ"],
    ["https://bo:pa55word-of-bo@cloud.example/v1", "pa55"],
    ["token=abc0123456789abc0123456789", "abc0"],
    ["x-auth-token: gAAAAABk1234567890", "gAAA"],
    ["authorization: Bearer abc123DEF456", "abc1"],
    ["sent Bearer abc123DEF456", "abc1"],
  ];
  const cases = CUTS.flatMap((cut) => SECRETS.map((each) => [cut, ...each] as const));

  it.each(cases)("that is cut at %d within %s keeps nothing of the secret", (cut, text, secret) => {
    for (let before = cut - text.length - 10; before <= cut + 10; before += 1) {
      const long = `${"x".repeat(before - 1)} ${text} ${"y".repeat(9_000)}`;
      expect(withoutSecrets(long)).not.toContain(secret);
    }
  });

  it("keeps nothing of a secret that ends beyond the scanned part, although masking has made room for it", () => {
    const filler = `token=${"a".repeat(4_000)}`;
    const long = `${filler} ${filler} Bearer ${"b".repeat(200)}9 ${"z".repeat(9_000)}`;
    expect(withoutSecrets(long)).not.toContain("bbb");
  });
});

describe("no text makes it slow", () => {
  it("takes linear time, whatever two pieces are repeated", () => {
    expect(slowPieces(masking)).toEqual([]);
  });

  it("and the test would notice: the pattern that was quadratic is found", () => {
    const quadratic = /\b[a-z][a-z0-9+.-]*:\/\/[^\s/@]+(?=@)/gi;
    expect(slowPieces((text) => text.replace(quadratic, ""), ["a-"])).toEqual(["a-a-"]);
  });

  it("masks 100,000 texts of random pieces and never throws", () => {
    const random = seeded(7);
    for (let count = 0; count < 100_000; count += 1) {
      const length = 1 + Math.floor(random() * 12);
      const pieces = Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]);
      const text = `${pieces.join("")} password=s3cretvalue`;
      if (withoutSecrets(text).includes("s3cretvalue")) expect(text).toBe("without its secret");
    }
  });
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
