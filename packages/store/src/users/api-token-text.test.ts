import { expect, test } from "vitest";
import { apiTokenHash, isApiTokenText, newApiToken } from "./api-token-text.ts";

test("a token is recognised by its prefix, and differs each time", () => {
  const tokens = Array.from({ length: 50 }, newApiToken);
  expect(new Set(tokens).size).toBe(50);
  for (const token of tokens) {
    expect(token).toMatch(/^cwt_[0-9A-Za-z]{49}$/);
    expect(isApiTokenText(token)).toBe(true);
    expect(apiTokenHash(token)).toMatch(/^[0-9a-f]{64}$/);
  }
});

test("a token with any letter changed is rejected without a query", () => {
  const token = newApiToken();
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === "a" ? "b" : "a";
    expect(isApiTokenText(`${token.slice(0, at)}${other}${token.slice(at + 1)}`), `${at}`).toBe(
      false,
    );
  }
});

test.each(["", "cwt_", "cwt_\0", `${newApiToken()}0`, newApiToken().slice(1), "Bearer x"])(
  "%j is no token",
  (text) => expect(isApiTokenText(text)).toBe(false),
);
