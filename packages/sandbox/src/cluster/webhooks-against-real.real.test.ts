import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiClient } from "./testing/api-client.ts";
import { create, inOtherWords, type Step, stepsOf, verdict } from "./testing/comparison.ts";
import { missingRealCluster, type RealCluster, startRealCluster } from "./testing/real-cluster.ts";
import { startTestCluster, type TestCluster } from "./testing/test-cluster.ts";
import { startTestWebhook, type TestWebhook } from "./testing/webhook.ts";

const CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
const VOLUMES = "/api/v1/persistentvolumes";

const volume = (name: string, query = "") =>
  create(`${VOLUMES}${query}`, {
    metadata: { name },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      csi: { driver: "csi.example.com", volumeHandle: "vol-1" },
    },
  });

const CREATED = {
  apiGroups: [""],
  apiVersions: ["v1"],
  resources: ["persistentvolumes"],
  operations: ["CREATE"],
};

function configuration(name: string, webhook: object): object {
  return {
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        rules: [CREATED],
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        ...webhook,
      },
    ],
  };
}

const client = (url: string) => ({ clientConfig: { url } });

/** Requests to both servers before there is any webhook. */
const REFUSED: readonly Step[] = [
  ["a webhook without a client", { clientConfig: {} }],
  [
    "a client of both kinds",
    { clientConfig: { url: "https://a/b", service: { namespace: "a", name: "b" } } },
  ],
  ["a short name", { name: "short", ...client("https://127.0.0.1/a") }],
  ["side effects", { sideEffects: "Some", ...client("https://127.0.0.1/a") }],
  ["too long a wait", { timeoutSeconds: 31, ...client("https://127.0.0.1/a") }],
  ["another policy", { failurePolicy: "Retry", ...client("https://127.0.0.1/a") }],
].map(([does, webhook]) => ({
  does: `refuses ${String(does)}`,
  ...create(CONFIGURATIONS, configuration("refused", webhook as object)),
  apart: "message",
}));

/** Requests to both servers while the webhook answers. */
const ASKED = stepsOf({
  "lets in": volume("allow"),
  "changes by a patch": volume("label"),
  "hands warnings on": volume("warn"),
  "refuses with the webhook's words and code": volume("deny"),
  "refuses without an explanation": volume("deny-bare"),
  "takes no refusal for a success": volume("deny-softly"),
  "asks in a dry run, too": volume("dry-label", "?dryRun=All"),
  "refuses where the webhook fails": inOtherWords(volume("broken")),
  "takes no answer to another request": inOtherWords(volume("other-uid")),
  "refuses a patch that does not fit": inOtherWords(volume("misfit")),
  "asks nobody about other kinds": create("/api/v1/namespaces/default/configmaps", {
    metadata: { name: "deny" },
  }),
});

const missing = missingRealCluster();

describe.skipIf(missing !== undefined)("webhooks as a real API server calls them", () => {
  let real: RealCluster;
  let sandbox: TestCluster;
  let realClient: ApiClient;
  let webhook: TestWebhook;

  beforeAll(async () => {
    real = startRealCluster();
    realClient = new ApiClient(real.access);
    sandbox = await startTestCluster();
    webhook = await startTestWebhook();
  }, 120_000);

  afterAll(async () => {
    await webhook.close();
    await realClient.close();
    await sandbox.discard();
    real.discard();
  });

  async function bothSay(step: Step): Promise<void> {
    expect(await verdict(sandbox.client, step)).toEqual(await verdict(realClient, step));
  }

  it.each(REFUSED)("$does", bothSay);

  it("are called once they are registered", async () => {
    const { url, caBundle } = webhook;
    const body = configuration("answers", { clientConfig: { url, caBundle } });
    for (const each of [sandbox.client, realClient]) {
      expect((await each.ask("POST", CONFIGURATIONS, { body })).status).toBe(201);
      await expect
        .poll(
          async () => (await each.json<Labelled>("POST", ...dry("poll-label"))).metadata.labels,
          {
            timeout: 20_000,
          },
        )
        .toEqual({ zone: "z1" });
    }
  });

  it.each(ASKED)("$does", bothSay);

  it("get the same information about a request", async () => {
    const asked = [];
    for (const each of [sandbox.client, realClient]) {
      await each.ask("POST", ...dry("reported-label"));
      const {
        userInfo: _user,
        object: _object,
        options: _options,
        ...rest
      } = webhook.seen.at(-1) ?? {};
      asked.push(rest);
    }
    expect(asked[0]).toEqual(asked[1]);
  });

  it("are skipped if they may be and cannot be reached", async () => {
    for (const each of [sandbox.client, realClient]) {
      const wrong = { clientConfig: { url: "https://127.0.0.1:9/admit" }, failurePolicy: "Ignore" };
      const body = configuration("absent", wrong);
      expect((await each.ask("POST", CONFIGURATIONS, { body })).status).toBe(201);
    }
    await bothSay({ does: "lets in", ...volume("let-in") });
  });
});

interface Labelled {
  readonly metadata: { readonly labels?: Record<string, string> };
}

function dry(name: string): [string, { body: unknown }] {
  const { path, body } = volume(name, "?dryRun=All");
  return [path, { body }];
}
