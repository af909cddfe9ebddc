import { readFile } from "node:fs/promises";
import { KubeError, type KubeErrorCode } from "@cloudwright/core/kube/errors";
import { ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { allTogether, errorFields, errorText, inOneSentence, PlainError } from "./plain-error.ts";

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

it.each<[KubeErrorCode, string, RegExp]>([
  [
    "Unauthorized",
    "Unauthorized",
    /^The API server does not accept the credentials \(Unauthorized\): check the token/,
  ],
  [
    "Forbidden",
    "leases is forbidden",
    /^The API server refuses this \(leases is forbidden\): .* right/,
  ],
  [
    "Unavailable",
    "connect ECONNREFUSED",
    /^The API server does not answer \(connect ECONNREFUSED\): check that it is running/,
  ],
  [
    "Invalid",
    "a field is bad.",
    /^The API server could not do what was asked \(a field is bad\)\.$/,
  ],
])("a failure of the Kubernetes API is shown as a sentence: %s", (code, message, sentence) => {
  expect(errorText(new KubeError(code, message, { verb: "get", resource: "nodes" }))).toMatch(
    sentence,
  );
});

describe("any other error", () => {
  it("is shown and logged with its stack, because it is a bug", () => {
    const error = new TypeError("x is not a function");
    expect(errorText(error)).toContain("at ");
    expect(errorFields(error)).toEqual({ err: error });
    expect(errorText("text")).toBe("cloudwright failed: text");
  });
});

describe("work that promises sentences", () => {
  it("says in one which file it could not use", async () => {
    const read = inOneSentence(readFile("/"));
    await expect(read).rejects.toMatchObject({ name: "PlainError" });
    await expect(read).rejects.toThrow(
      /^A file or folder cannot be used \(EISDIR: .*\): name another one, or free it\.$/,
    );
  });

  it("passes on a bug", async () => {
    const bug = new TypeError("x is not a function");
    await expect(inOneSentence(Promise.reject(bug))).rejects.toBe(bug);
  });
});

describe("several pieces of work at once", () => {
  const port = new PlainError("The port is taken.");
  const provider = new PlainError("The cloud is unknown.", { exitCode: 255 });

  it("return all results", async () => {
    expect(await allTogether([Promise.resolve(1), Promise.resolve("two")])).toEqual([1, "two"]);
  });

  it("fail with the one failure", async () => {
    await expect(allTogether([Promise.resolve(1), Promise.reject(provider)])).rejects.toBe(
      provider,
    );
  });

  it("fail with all failures at once, as for mistakes on the command line", async () => {
    const error = await allTogether([Promise.reject(port), Promise.reject(provider)]).catch(
      (caught: unknown) => caught,
    );
    expect(error).toMatchObject({
      name: "PlainError",
      message: "The port is taken.\nThe cloud is unknown.",
      exitCode: 1,
    });
  });

  it("fail with a bug before any other failure", async () => {
    const bug = new TypeError("x is not a function");
    await expect(allTogether([Promise.reject(port), Promise.reject(bug)])).rejects.toBe(bug);
  });
});
