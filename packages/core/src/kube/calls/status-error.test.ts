import { describe, expect, it } from "vitest";
import { errorOfAnswer, errorOfStatus, type FailedAnswer } from "./status-error.ts";

const CALL = { verb: "patch", resource: "nodes", name: "w-1" };

function status(reason: string, more: object = {}): string {
  return JSON.stringify({
    kind: "Status",
    status: "Failure",
    reason,
    message: `m ${reason}`,
    ...more,
  });
}

const cases: readonly [string, FailedAnswer, string][] = [
  ["an object that is not there", { status: 404, body: status("NotFound") }, "NotFound"],
  ["a 404 of something in between", { status: 404, body: "<html>" }, "Unavailable"],
  ["an object that exists", { status: 409, body: status("AlreadyExists") }, "AlreadyExists"],
  ["an object that changed", { status: 409, body: status("Conflict") }, "Conflict"],
  ["a verb that is not granted", { status: 403, body: status("Forbidden") }, "Forbidden"],
  ["an identity that is not known", { status: 401, body: status("Unauthorized") }, "Unauthorized"],
  ["too many requests", { status: 429, body: status("TooManyRequests") }, "Throttled"],
  ["a version that is compacted", { status: 410, body: status("Expired") }, "Gone"],
  ["a token that expired, as another code", { status: 400, body: status("Expired") }, "Gone"],
  ["a request that makes no sense", { status: 400, body: status("BadRequest") }, "Invalid"],
  ["a wrong content type", { status: 415, body: "" }, "Invalid"],
  ["an object that breaks a rule", { status: 422, body: status("Invalid") }, "Invalid"],
  ["a server that fails", { status: 500, body: status("InternalError") }, "Unavailable"],
  ["a server that is overloaded", { status: 503, body: "busy" }, "Unavailable"],
  ["a server that timed out", { status: 504, body: status("Timeout") }, "Unavailable"],
  ["a redirect", { status: 302, body: "" }, "Unavailable"],
  [
    "a JSON patch whose test failed",
    { status: 422, body: status("Invalid", { details: {} }), patchKind: "json" },
    "Conflict",
  ],
  [
    "a JSON patch that makes the object invalid",
    {
      status: 422,
      body: status("Invalid", {
        details: { causes: [{ field: "metadata.labels", message: "x" }] },
      }),
      patchKind: "json",
    },
    "Invalid",
  ],
  [
    "a merge for another UID",
    {
      status: 422,
      body: status("Invalid", { details: { causes: [{ field: "metadata.uid", message: "x" }] } }),
      patchKind: "strategic",
    },
    "Conflict",
  ],
  [
    "a merge without causes",
    { status: 422, body: status("Invalid", { details: {} }), patchKind: "merge" },
    "Invalid",
  ],
];

describe("a failed answer becomes an error:", () => {
  it.each(cases)("%s", (_, answer, code) => {
    const error = errorOfAnswer(answer, CALL);
    expect(error.code).toBe(code);
    expect(error.call).toMatchObject({ ...CALL, status: answer.status });
  });

  it("keeps the part of its body that a record may hold", () => {
    const body = status("Invalid", {
      details: { causes: [{ field: "spec.providerID", message: "old -> new" }, { message: "x" }] },
    });
    expect(errorOfAnswer({ status: 422, body }, CALL).call.body).toEqual({
      reason: "Invalid",
      message: "m Invalid",
      fields: ["spec.providerID"],
    });
    expect(errorOfAnswer({ status: 502, body: "<html>" }, CALL).call.body).toBeUndefined();
  });

  it("drops what looks like a secret", () => {
    const body = status("Forbidden", { message: "not with token=abc" });
    expect(errorOfAnswer({ status: 403, body }, CALL).message).toBe("not with token=***");
  });

  it("reports the API server's message", () => {
    expect(errorOfAnswer({ status: 403, body: status("Forbidden") }, CALL).message).toBe(
      "m Forbidden",
    );
  });

  it("says so if something other than the API server answered", () => {
    const error = errorOfAnswer({ status: 502, body: "<html>" }, CALL);
    expect(error.message).toContain("502");
    expect(error.message).toContain("between it");
  });

  it("takes the time to wait from the header, else from the Status", () => {
    const body = status("TooManyRequests", { details: { retryAfterSeconds: 7 } });
    expect(errorOfAnswer({ status: 429, body }, CALL).call.retryAfterMs).toBe(7_000);
    expect(errorOfAnswer({ status: 429, body, retryAfterMs: 2_000 }, CALL).call.retryAfterMs).toBe(
      2_000,
    );
    const years = errorOfAnswer({ status: 429, body, retryAfterMs: 1e300 }, CALL);
    expect(years.call.retryAfterMs).toBe(600_000);
  });
});

it("reads the ERROR event of a watch", () => {
  const error = errorOfStatus(
    { kind: "Status", code: 410, reason: "Expired", message: "old" },
    CALL,
  );
  expect(error).toMatchObject({ code: "Gone", message: "old", call: { status: 410 } });
});
