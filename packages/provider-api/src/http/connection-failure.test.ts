import { expect, it, test } from "vitest";
import { failureText, wasNeverSent } from "./connection-failure.ts";

const coded = (code: string) => Object.assign(new Error("it failed"), { code });

test.each([
  ["ECONNREFUSED", true],
  ["ENOTFOUND", true],
  ["UND_ERR_CONNECT_TIMEOUT", true],
  ["ECONNRESET", false],
  ["EPIPE", false],
  ["UND_ERR_SOCKET", false],
  ["UND_ERR_HEADERS_TIMEOUT", false],
])("a request that failed with %s: never sent is %s", (code, expected) => {
  expect(wasNeverSent(coded(code))).toBe(expected);
});

it("needs every address of a host to have refused", () => {
  const refused = coded("ECONNREFUSED");
  expect(wasNeverSent(new AggregateError([refused, coded("EHOSTUNREACH")]))).toBe(true);
  expect(wasNeverSent(new AggregateError([refused, coded("ECONNRESET")]))).toBe(false);
});

it("checks the cause of an error without a code, and assumes nothing", () => {
  expect(wasNeverSent(new Error("fetch failed", { cause: coded("ECONNREFUSED") }))).toBe(true);
  expect(wasNeverSent(new Error("other side closed"))).toBe(false);
  expect(wasNeverSent(undefined)).toBe(false);
});

test.each([
  [new Error("socket hang up"), "socket hang up"],
  [Object.assign(new AggregateError([], ""), { code: "ECONNREFUSED" }), "ECONNREFUSED"],
  [new AggregateError([], ""), "AggregateError"],
  ["closed", "closed"],
])("the words for %o are %s", (error, text) => {
  expect(failureText(error)).toBe(text);
});
