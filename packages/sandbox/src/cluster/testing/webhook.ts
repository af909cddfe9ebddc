import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createAuthority, createServingCertificate } from "../../tls/certificates.ts";

export interface TestWebhook {
  readonly url: string;
  /** The certificate authority, PEM in base64. */
  readonly caBundle: string;
  /** The requests that it received, without their uids. */
  readonly seen: readonly Record<string, unknown>[];
  close(): Promise<void>;
}

/** Starts a webhook whose answer depends on the object's name: `deny`, `deny-bare`, `label`, `warn`, `broken`, `other-uid`. */
export async function startTestWebhook(): Promise<TestWebhook> {
  const authority = await createAuthority("test webhook");
  const { key, certificate: cert } = await createServingCertificate(authority);
  const seen: Record<string, unknown>[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString("utf8");
    });
    request.on("end", () => {
      const review = JSON.parse(body) as Review;
      const { uid, ...asked } = review.request;
      seen.push(asked);
      const name = review.request.name ?? "";
      const answer = ANSWERS.find(([word]) => name.endsWith(word))?.[1] ?? {};
      response.writeHead(name.endsWith("broken") ? 500 : 200, {
        "content-type": "application/json",
      });
      const { apiVersion, kind } = review;
      response.end(
        JSON.stringify({ apiVersion, kind, response: { uid, allowed: true, ...answer } }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/admit`,
    caBundle: Buffer.from(authority.certificate).toString("base64"),
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { readonly uid: string; readonly name?: string };
}

const ANSWERS: readonly (readonly [string, object])[] = [
  ["deny-bare", { allowed: false }],
  [
    "deny",
    {
      allowed: false,
      status: { code: 403, reason: "Forbidden", message: "There is no such disk." },
    },
  ],
  ["deny-softly", { allowed: false, status: { code: 200, message: "Not so." } }],
  ["label", { patchType: "JSONPatch", patch: encoded([add("/metadata/labels", { zone: "z1" })]) }],
  ["misfit", { patchType: "JSONPatch", patch: encoded([add("/metadata/none/label", "z1")]) }],
  ["warn", { warnings: ["the cloud is slow"] }],
  ["other-uid", { uid: "another" }],
];

function add(path: string, value: unknown): object {
  return { op: "add", path, value };
}

function encoded(patch: readonly object[]): string {
  return Buffer.from(JSON.stringify(patch)).toString("base64");
}
