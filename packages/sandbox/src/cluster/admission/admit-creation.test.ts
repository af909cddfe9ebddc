import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../testing/test-cluster.ts";
import { startTestWebhook, type TestWebhook } from "../testing/webhook.ts";

const CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

let cluster: TestCluster;
let webhook: TestWebhook;

beforeAll(async () => {
  cluster = await startTestCluster();
  webhook = await startTestWebhook();
});

afterAll(async () => {
  await webhook.close();
  await cluster.discard();
});

async function register(more: object): Promise<{ status: number; text: string }> {
  const { url, caBundle } = webhook;
  const rule = {
    apiGroups: [""],
    apiVersions: ["v1"],
    resources: ["persistentvolumes"],
    operations: ["CREATE"],
  };
  const each = {
    name: "labels.example.com",
    rules: [rule],
    clientConfig: { url, caBundle },
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    ...more,
  };
  const body = { metadata: { name: "labels" }, webhooks: [each] };
  return cluster.client.ask("POST", CONFIGURATIONS, { body });
}

async function createVolume(name: string) {
  const { status, text } = await cluster.client.ask("POST", "/api/v1/persistentvolumes", {
    body: {
      metadata: { name },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        flexVolume: { driver: "sandbox.cloudwright.io/disk", options: { volumeID: "vol-1" } },
      },
    },
  });
  return { status, body: JSON.parse(text) };
}

it.each(["namespaceSelector", "objectSelector"])(
  "refuses a %s, which it could not obey",
  async (field) => {
    const { status, text } = await register({ [field]: { matchLabels: { a: "b" } } });
    expect(status).toBe(422);
    expect(text).toContain(field);
  },
);

it("calls the webhook for each new volume, and stores its changes", async () => {
  expect((await createVolume("before-label")).body.metadata.labels).toBeUndefined();
  expect((await register({})).status).toBe(201);
  expect((await createVolume("label")).body.metadata.labels).toEqual({ zone: "z1" });
  const refused = await createVolume("deny");
  expect(refused).toMatchObject({
    status: 403,
    body: {
      message: 'admission webhook "labels.example.com" denied the request: There is no such disk.',
    },
  });
  expect(webhook.seen.at(-1)).toMatchObject({
    operation: "CREATE",
    name: "deny",
    object: { kind: "PersistentVolume", apiVersion: "v1" },
    userInfo: { username: "admin" },
  });
});

it("creates nothing without a webhook that must not be skipped", async () => {
  await webhook.close();
  expect((await createVolume("alone")).status).toBe(500);
  await cluster.client.ask("DELETE", `${CONFIGURATIONS}/labels`);
  expect((await createVolume("alone")).status).toBe(201);
});
