import { describe, expect, it } from "vitest";
import { answerWebhook } from "./answer-webhook.ts";
import type { AdmissionVerdict, Webhook } from "./webhook.ts";

const REQUEST = {
  uid: "u-1",
  kind: { group: "", version: "v1", kind: "PersistentVolume" },
  operation: "CREATE",
  object: { metadata: { name: "pv-1" } },
};
const REVIEW = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: REQUEST };
const ALLOWED: AdmissionVerdict = { kind: "allowed", patch: [], warnings: [] };

interface Posted {
  readonly url?: string;
  readonly contentType?: string;
  readonly body?: string;
}

async function post(verdict: AdmissionVerdict | Error, posted: Posted = {}) {
  const deadlines: number[] = [];
  const errors: string[] = [];
  const webhook: Webhook = {
    name: "pvlabel",
    path: "/admit",
    admit: async () => {
      if (verdict instanceof Error) throw verdict;
      return verdict;
    },
  };
  const answer = await answerWebhook(
    {
      webhooks: [webhook],
      deadline: (ms) => {
        deadlines.push(ms);
        return new AbortController().signal;
      },
      onError: (name, error) => errors.push(`${name}: ${String(error)}`),
    },
    {
      url: posted.url ?? "/admit?timeout=5s",
      contentType: "contentType" in posted ? posted.contentType : "application/json",
      body: posted.body ?? JSON.stringify(REVIEW),
    },
  );
  return { answer, deadlines, errors };
}

describe("a body that is not an AdmissionReview with a request is 400 (V-13)", () => {
  it.each<[string, Posted]>([
    ["another content type", { contentType: "application/json; charset=utf-8" }],
    ["an empty body", { body: "" }],
    ["a body that is no JSON", { body: "{" }],
    ["a review without a request", { body: JSON.stringify({ ...REVIEW, request: undefined }) }],
    [
      "another version",
      { body: JSON.stringify({ ...REVIEW, apiVersion: "admission.k8s.io/v1beta1" }) },
    ],
    ["another kind", { body: JSON.stringify({ ...REVIEW, kind: "Review" }) }],
  ])("%s", async (_, posted) => {
    const { answer } = await post(ALLOWED, posted);
    expect(answer).toMatchObject({ status: 400, webhook: "pvlabel" });
  });

  it("a request that the webhook does not handle is 400 as well", async () => {
    const { answer } = await post({ kind: "malformed", problem: "it is a Node" });
    expect(answer).toMatchObject({ status: 400, body: "it is a Node\n" });
  });
});

describe("the answer", () => {
  it("is a review with the same uid and the patch in base64 (V-14)", async () => {
    const patch = [{ op: "add", path: "/metadata/labels", value: { a: "ü" } }] as const;
    const { answer } = await post({ kind: "allowed", patch, warnings: ["slow cloud"] });
    expect(answer).toMatchObject({ status: 200, type: "application/json" });
    expect(JSON.parse(answer.body)).toEqual({
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      response: {
        uid: "u-1",
        allowed: true,
        patchType: "JSONPatch",
        patch: Buffer.from(JSON.stringify(patch)).toString("base64"),
        warnings: ["slow cloud"],
      },
    });
  });

  it("has no patch if nothing has to change", async () => {
    const { answer } = await post(ALLOWED);
    expect(JSON.parse(answer.body).response).toEqual({ uid: "u-1", allowed: true });
  });

  it("passes the reason of a refusal to the user (VW-2)", async () => {
    const { answer } = await post({ kind: "refused", message: "There is no disk vol-9." });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).response).toEqual({
      uid: "u-1",
      allowed: false,
      status: {
        status: "Failure",
        code: 403,
        reason: "Forbidden",
        message: "There is no disk vol-9.",
      },
    });
  });

  it("is 500 without the cause if the webhook cannot decide", async () => {
    const { answer, errors } = await post(new Error("a defect"));
    expect(answer.status).toBe(500);
    expect(answer.body).not.toContain("defect");
    expect(errors).toEqual(["pvlabel: Error: a defect"]);
  });

  it.each(["/", "//", "/admit/", "/Admit", "*", "http://[", "/x?/admit"])(
    "is 404 on another path: %s",
    async (url) => {
      const { answer } = await post(ALLOWED, { url });
      expect(answer).toMatchObject({ status: 404, webhook: undefined });
    },
  );
});

it.each<[string, number]>([
  ["/admit?timeout=5s", 4_000],
  ["/admit?timeout=30s", 29_000],
  ["/admit?timeout=1s", 500],
  ["/admit", 4_000],
  ["/admit?timeout=soon", 4_000],
  ["/admit?timeout=-5s", 500],
  ["/admit?timeout=9000h", 29_000],
])("an API server that calls %s is answered within %i ms", async (url, ms) => {
  expect((await post(ALLOWED, { url })).deadlines).toEqual([ms]);
});
