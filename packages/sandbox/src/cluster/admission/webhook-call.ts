import { Agent, request } from "undici";
import { z } from "zod";
import type { MutatingWebhook } from "../resources/admission/mutating-webhooks.ts";

const responseSchema = z.looseObject({
  response: z.looseObject({
    uid: z.string(),
    allowed: z.boolean(),
    status: z
      .looseObject({
        code: z.number().optional(),
        reason: z.string().optional(),
        message: z.string().optional(),
      })
      .nullish(),
    patchType: z.string().nullish(),
    patch: z.string().nullish(),
    warnings: z.array(z.string()).nullish(),
  }),
});
export type WebhookResponse = z.infer<typeof responseSchema>["response"];

/** Posts a review and returns the webhook's answer. Throws an Error whose message says why there is none. */
export async function callWebhook(
  { clientConfig, timeoutSeconds }: MutatingWebhook,
  review: { readonly request: { readonly uid: string } },
): Promise<WebhookResponse> {
  const { url, caBundle } = clientConfig;
  if (url === undefined) {
    throw new Error("the sandbox cluster has no network that leads to Services; give a url");
  }
  const seconds = timeoutSeconds ?? 10;
  const ca = caBundle === undefined ? undefined : Buffer.from(caBundle, "base64").toString("utf8");
  const agent = new Agent({ connect: ca === undefined ? {} : { ca } });
  try {
    const answer = await request(`${url}?timeout=${seconds}s`, {
      dispatcher: agent,
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(review),
      signal: AbortSignal.timeout(seconds * 1_000),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text}`);
    return readResponse(text, review.request.uid);
  } finally {
    await agent.close();
  }
}

function readResponse(text: string, uid: string): WebhookResponse {
  const parsed = responseSchema.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error("the answer is not an AdmissionReview with a response");
  const { response } = parsed.data;
  if (response.uid === uid) return response;
  throw new Error(`expected response.uid="${uid}", got "${response.uid}"`);
}
