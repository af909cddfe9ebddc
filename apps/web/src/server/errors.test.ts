import { OperationError } from "@cloudwright/store/operations/errors";
import { TRPCError } from "@trpc/server";
import { describe, expect, it, vi } from "vitest";
import { isUnreachable, SessionLookupError, toTrpcError } from "./errors.ts";

const CALL = { requestId: "r1", path: "nodes.list" };

describe("what a page learns about a failure", () => {
  it.each([
    ["NotFound", "NOT_FOUND"],
    ["Forbidden", "FORBIDDEN"],
    ["Conflict", "CONFLICT"],
    ["Invalid", "BAD_REQUEST"],
    ["Precondition", "PRECONDITION_FAILED"],
    ["Limit", "TOO_MANY_REQUESTS"],
  ] as const)("%s keeps its sentence as %s", (code, expected) => {
    const cause = new OperationError(code, () => "There is no node w-9.");
    const reported = toTrpcError(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause }), CALL);
    expect(reported).toMatchObject({ code: expected, message: "There is no node w-9." });
  });

  it("hides the message of a bug, and logs it under the request's id", () => {
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const cause = new Error("relation users has secret columns");
    const reported = toTrpcError(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause }), CALL);
    expect(reported.message).not.toContain("secret");
    expect(reported.cause).toBeUndefined();
    expect(written.mock.calls[0]?.[0]).toMatch(/"requestId":"r1".*relation users/);
    written.mockRestore();
  });

  it("passes our own refusals on unchanged", () => {
    const refusal = new TRPCError({ code: "UNAUTHORIZED", message: "You are not signed in." });
    expect(toTrpcError(refusal, CALL)).toBe(refusal);
  });
});

describe("an unreachable database", () => {
  it("is recognised however deeply it is wrapped", () => {
    const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    const wrapped = new Error("outer", { cause: new AggregateError([refused], "all") });
    expect(isUnreachable(wrapped)).toBe(true);
  });

  it("is also the cause when no session can be looked up", () => {
    expect(isUnreachable(new SessionLookupError(new Error("Failed to get session")))).toBe(true);
  });

  it("is not confused with other errors", () => {
    expect(isUnreachable(new Error("syntax error"))).toBe(false);
    expect(isUnreachable("ECONNREFUSED")).toBe(false);
  });
});
