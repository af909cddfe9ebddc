import { ProviderError } from "@cloudwright/core/provider/errors";
import { describe, expect, it } from "vitest";
import { errorFields, errorText, PlainError } from "./plain-error.ts";

const CALL = { provider: "sandbox", operation: "begin" };

describe("an error whose message is a sentence", () => {
  it.each([
    new PlainError("The port is taken."),
    new ProviderError("QuotaExceeded", "The quota is zero.", CALL),
  ])("is shown and logged without a stack: %s", (error) => {
    expect(errorText(error)).toBe(error.message);
    expect(errorFields(error)).toEqual({ error: error.message });
  });
});

describe("any other error", () => {
  it("is shown and logged with its stack, because it is a bug", () => {
    const error = new TypeError("x is not a function");
    expect(errorText(error)).toContain("at ");
    expect(errorFields(error)).toEqual({ err: error });
    expect(errorText("text")).toBe("cloudwright failed: text");
  });
});
