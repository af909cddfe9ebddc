import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { registrationText } from "./registration.ts";

const TEMPLATE = new URL("../../../../deploy/webhook/mutating-webhook.yaml", import.meta.url);

function documents(text: string): unknown[] {
  return parseAllDocuments(text).map((document) => document.toJS());
}

it("is what deploy/webhook/mutating-webhook.yaml shows, except for the authority", () => {
  const text = registrationText({
    caBundle: "CA_BUNDLE",
    failurePolicy: "Ignore",
    at: {
      namespace: "kube-system",
      service: "cloud-controller-manager-webhook",
      selector: { "k8s-app": "cloud-controller-manager" },
      targetPort: 10_260,
    },
  });
  expect(documents(readFileSync(TEMPLATE, "utf8"))).toEqual(documents(text));
});

it("points to an address without a Service", () => {
  const url = "https://127.0.0.1:10260/admit";
  const [only, ...others] = documents(
    registrationText({ caBundle: "QQ==", failurePolicy: "Fail", at: { url } }),
  );
  expect(others).toEqual([]);
  expect(only).toMatchObject({
    kind: "MutatingWebhookConfiguration",
    webhooks: [{ clientConfig: { url, caBundle: "QQ==" }, failurePolicy: "Fail" }],
  });
});
