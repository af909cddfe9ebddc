import { t } from "@cloudwright/core/model/language/text";
import { storableText } from "@cloudwright/store/text/storable-text";
import type { DeliveriesPage, DeliveryView, WebhookView } from "@cloudwright/store/views/webhooks";
import {
  deliveriesSchema,
  listDeliveries,
  listWebhooks,
} from "@cloudwright/store/webhooks/deliveries";
import {
  beginTest,
  changeWebhook,
  changeWebhookSchema,
  createWebhook,
  createWebhookSchema,
  pauseWebhook,
  pauseWebhookSchema,
  removeWebhook,
  removeWebhookSchema,
  rotateSecret,
  rotateSecretSchema,
  type SealedAddress,
  testWebhookSchema,
} from "@cloudwright/store/webhooks/webhooks";
import { TRPCError } from "@trpc/server";
import { environment } from "../environment.ts";
import { rateLimiter } from "../requests/rate-limit.ts";
import { accountsProcedure, listedProcedure, router } from "../trpc.ts";
import { parseWebhookUrl } from "../webhooks/address-rules.ts";
import { sendOptions } from "../webhooks/notify-webhooks.ts";
import { seal } from "../webhooks/sealing.ts";
import { sendTest } from "../webhooks/send-test.ts";
import { newSecret } from "../webhooks/signature.ts";

/** A secret that is shown once. */
export interface SecretAnswer {
  readonly id: string;
  readonly secret: string;
}

const urlSchema = storableText(2_000).min(1);

/** A test goes out at once, to wherever the user says. */
const ofTests = rateLimiter({ attempts: 10, withinMs: 60_000 });

export const webhooksRouter = router({
  list: listedProcedure.query(({ ctx }): Promise<readonly WebhookView[]> => listWebhooks(ctx.verb)),
  deliveries: listedProcedure
    .input(deliveriesSchema)
    .query(({ ctx, input }): Promise<DeliveriesPage> => listDeliveries(ctx.verb, input)),
  create: accountsProcedure
    .input(createWebhookSchema.extend({ url: urlSchema }))
    .mutation(async ({ ctx, input: { url, ...input } }): Promise<SecretAnswer> => {
      const secret = newSecret();
      const sealed = { address: sealedUrl(url), secret: sealedText(secret) };
      return { ...(await createWebhook(ctx.verb, { ...input, ...sealed })), secret };
    }),
  change: accountsProcedure
    .input(changeWebhookSchema.extend({ url: urlSchema.optional() }))
    .mutation(({ ctx, input: { url, ...input } }): Promise<void> => {
      const address = url === undefined ? undefined : sealedUrl(url);
      return changeWebhook(ctx.verb, { ...input, address });
    }),
  pause: accountsProcedure
    .input(pauseWebhookSchema)
    .mutation(({ ctx, input }): Promise<void> => pauseWebhook(ctx.verb, input)),
  remove: accountsProcedure
    .input(removeWebhookSchema)
    .mutation(({ ctx, input }): Promise<void> => removeWebhook(ctx.verb, input)),
  rotateSecret: accountsProcedure
    .input(rotateSecretSchema)
    .mutation(async ({ ctx, input }): Promise<SecretAnswer> => {
      const secret = newSecret();
      await rotateSecret(ctx.verb, { ...input, secret: sealedText(secret) });
      return { id: input.id, secret };
    }),
  /** Sends a message that is marked as a test, and returns its outcome. */
  test: accountsProcedure
    .input(testWebhookSchema)
    .mutation(async ({ ctx, input }): Promise<DeliveryView> => {
      if (!ofTests.allow(ctx.viewer.id, Date.now())) throw tooOften();
      const webhook = await beginTest(ctx.verb, input);
      return sendTest(ctx.ledger, { webhook, by: ctx.viewer.name, options: sendOptions() });
    }),
});

function sealedUrl(text: string): SealedAddress {
  try {
    const { href, origin } = parseWebhookUrl(text);
    return { origin, sealed: sealedText(href) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new TRPCError({ code: "BAD_REQUEST", message });
  }
}

function sealedText(plain: string): string {
  return seal(plain, environment().authSecret);
}

function tooOften(): TRPCError {
  return new TRPCError({
    code: "TOO_MANY_REQUESTS",
    message: t`You have sent more than 10 tests within a minute: wait a moment.`,
  });
}
