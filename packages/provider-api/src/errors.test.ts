import { expect, it } from "vitest";
import { isProviderError, ProviderError } from "./errors.ts";

const call = { provider: "mycloud", operation: "GET /v1/instances" };

it.each([
  ["of this package", new ProviderError("NotFound", "it is not there", call), true],
  ["of another copy of this package", named({ code: "NotFound", call }), true],
  ["without its call", named({ code: "Unavailable" }), false],
  ["whose call is nothing", named({ code: "Unavailable", call: null }), false],
  ["without a code", named({ call }), false],
  ["of another name", Object.assign(new Error("no"), { code: "NotFound", call }), false],
  ["that is no error", { name: "ProviderError", code: "NotFound", call }, false],
])("recognises by its shape an error %s", (_, error, isOne) => {
  expect(isProviderError(error)).toBe(isOne);
});

function named(fields: object): Error {
  return Object.assign(new Error("no"), { name: "ProviderError" }, fields);
}
