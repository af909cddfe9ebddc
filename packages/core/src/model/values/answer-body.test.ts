import { describe, expect, it } from "vitest";
import { type AnswerBody, recordedBody } from "./answer-body.ts";

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

describe("the recorded part of a refusal's body", () => {
  it("is its code, reason, message and the names of fields", () => {
    const body = { code: "quota_exceeded", reason: "TooMany", message: "full", fields: ["spec.a"] };
    expect(recordedBody(body)).toEqual(body);
  });

  it("is nothing else, whatever comes with it", () => {
    const body = { code: 409, message: "full", headers: { cookie: "c" }, user: "bo", token: "t" };
    expect(recordedBody(body)).toEqual({ code: 409, message: "full" });
  });

  it("is empty if the body was", () => {
    expect(recordedBody({})).toBeUndefined();
    expect(recordedBody({ message: "", fields: [] })).toBeUndefined();
  });

  it("has no secret, and no value in place of a field's name", () => {
    const body: AnswerBody = {
      code: "Bearer abc123DEF456",
      message: "bad password=hunter2",
      fields: ["user_data: #cloud-config\nrunme", "metadata.labels[a.b/c]"],
    };
    const text = JSON.stringify(recordedBody(body));
    expect(text).not.toMatch(/abc123|hunter2|\n|#/);
    expect(recordedBody(body)).toMatchObject({
      fields: [expect.any(String), "metadata.labels[a.b/c]"],
    });
  });

  it.each([
    ["letters", "x"],
    ["letters of four bytes", "😀"],
    ["control characters, which JSON writes in six", "\u0001"],
  ])("has at most 4 KiB, even with %s", (_what, letter) => {
    const long = letter.repeat(10_000);
    const fields = Array.from({ length: 500 }, () => long);
    const body = recordedBody({ code: long, reason: long, message: long, fields });
    expect(bytesOf(body)).toBeLessThanOrEqual(4_096);
    expect(body).toMatchObject({ message: expect.stringMatching(/…$/) });
  });
});
