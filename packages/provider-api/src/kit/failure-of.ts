import { strict as assert } from "node:assert";
import { isProviderError, type ProviderError } from "../errors.ts";

/** Returns the ProviderError that the work rejects with; fails when it succeeds instead. */
export async function failureOf(work: Promise<unknown>): Promise<ProviderError> {
  try {
    await work;
  } catch (error) {
    if (isProviderError(error)) return error;
    throw error;
  }
  throw new assert.AssertionError({
    message: "The call succeeded although it should have failed.",
  });
}
