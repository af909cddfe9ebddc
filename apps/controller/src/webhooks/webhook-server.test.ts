import { Agent, request } from "undici";
import { afterEach, beforeEach, expect, it } from "vitest";
import { defaults } from "../flags/parse-flags.ts";
import { webhookTlsSource } from "../http/tls-material.ts";
import { startWebhookServer, type WebhookServer } from "./webhook-server.ts";

const agent = new Agent({ connect: { rejectUnauthorized: false } });
let server: WebhookServer;
let answers: string[];

beforeEach(async () => {
  answers = [];
  server = await startWebhookServer({
    host: "127.0.0.1",
    port: 0,
    tls: (await webhookTlsSource(defaults())).read().options,
    webhooks: [
      {
        name: "pvlabel",
        path: "/admit",
        admit: async ({ object }) => ({
          kind: "refused",
          message: `It has ${JSON.stringify(object).length} characters.`,
        }),
      },
    ],
    monotonic: () => 0,
    deadline: () => new AbortController().signal,
    onAnswer: ({ webhook, code }) => answers.push(`${webhook} ${code}`),
    onError: (_, error) => answers.push(String(error)),
  });
});

afterEach(() => server.close());

async function post(body: string, path = "/admit") {
  const answer = await request(`https://127.0.0.1:${server.port}${path}`, {
    dispatcher: agent,
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return { status: answer.statusCode, body: await answer.body.text() };
}

function review(object: string): string {
  const kind = { group: "", version: "v1", kind: "PersistentVolume" };
  const asked = { uid: "u-1", kind, operation: "CREATE", object };
  return JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: asked,
  });
}

it("answers reviews over TLS, including large ones, and logs each", async () => {
  const { status, body } = await post(review("x".repeat(1_000_000)));
  expect(status).toBe(200);
  expect(JSON.parse(body).response.status.message).toBe("It has 1000002 characters.");
  expect((await post("")).status).toBe(400);
  expect((await post("", "/elsewhere")).status).toBe(404);
  expect(answers).toEqual(["pvlabel 200", "pvlabel 400"]);
});

it("refuses what no API server sends", async () => {
  expect((await post("x".repeat(9 * 1_024 * 1_024))).status).toBe(413);
});
