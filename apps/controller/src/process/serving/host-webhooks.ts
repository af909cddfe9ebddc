import type { VolumeDirectory } from "@cloudwright/core/cloud/ports";
import { volumeModule } from "@cloudwright/core/controllers/volume/module";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { ProviderError, type VolumeLookup } from "@cloudwright/provider-api";
import { selectedControllers, selectedWebhooks, type WebhookName } from "../../flags/selection.ts";
import { followTls } from "../../http/follow-tls.ts";
import { webhookTlsSource } from "../../http/tls-material.ts";
import { createVolumeWebhook, type Webhook } from "../../webhooks/webhook.ts";
import { startWebhookServer, type WebhookServer } from "../../webhooks/webhook-server.ts";
import type { CloudAccess } from "../../wiring/cloud/cloud-access.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";
import type { ProcessState } from "../process-state.ts";

/**
 * Hosts the webhooks that `--webhooks` names, on every replica (spec/00 §11). Returns undefined if there is none to host, or if
 * the port is 0. Throws PlainError.
 */
export async function hostWebhooks(
  processContext: ProcessContext,
  cloud: CloudAccess,
  state: Pick<ProcessState, "certificates">,
): Promise<Pick<WebhookServer, "close"> | undefined> {
  const { flags, log, clock, metrics } = processContext;
  const host = flags["webhook-bind-address"];
  const port = flags["webhook-secure-port"];
  const names = selectedWebhooks(flags.webhooks);
  if (names.length === 0 || port === 0) return undefined;
  if (flags["dry-run"]) {
    log.info(
      { webhooks: names },
      "Not hosted: a webhook changes what others write, which a dry run must not do",
    );
    return undefined;
  }
  const webhooks = names.flatMap((name) => BUILDERS[name](processContext, cloud) ?? []);
  logNotHosted(
    processContext,
    cloud,
    names.filter((name) => !isAmong(webhooks, name)),
  );
  if (webhooks.length === 0) return undefined;
  const source = await webhookTlsSource(flags);
  const server = await startWebhookServer({
    host,
    port,
    tls: source.read().options,
    webhooks,
    monotonic: () => clock.monotonic(),
    deadline: (ms) => deadline(processContext, cloud, ms),
    onAnswer: (answer) => metrics.webhooks.answered(answer),
    onError: (webhook, error) =>
      log.error({ webhook, error: messageOf(error) }, "A webhook could not answer"),
  });
  const tls = followTls({ server: "webhooks", source, clock, log, onRenewed: server.renew });
  state.certificates.push(tls);
  log.info({ webhooks: names, host, port: server.port }, "Hosting webhooks over HTTPS");
  return {
    close: () => {
      tls.stop();
      return server.close();
    },
  };
}

type Builder = (processContext: ProcessContext, cloud: CloudAccess) => Webhook | undefined;

/** Returns undefined if the provider does not support the webhook. */
const BUILDERS: Record<WebhookName, Builder> = {
  pvlabel: ({ flags, clock }, { provider, volumes: directory }) => {
    if (provider.volumes === undefined || directory === undefined) return undefined;
    return createVolumeWebhook({
      volumes: provider.volumes,
      provider: provider.name,
      isRepaired: selectedControllers(flags).includes(volumeModule.name),
      describe: (disk, signal) => lookUp(directory, { disk, at: clock.now() }, signal),
    });
  },
};

/** Short enough to find what a user created in the cloud a moment ago; long enough for a wave of volumes to share its lookups. */
const FRESH_MS = 10_000;

function lookUp(
  directory: VolumeDirectory,
  { disk, at }: { readonly disk: string; readonly at: number },
  signal: AbortSignal,
): Promise<VolumeLookup> {
  return directory
    .for({ startedAt: at, signal, step: () => undefined })
    .describe(disk, { maxAgeMs: FRESH_MS, priority: "new" });
}

/** Requests waiting for the cloud at the abort fail with the reason that it did not answer. */
function deadline({ clock }: ProcessContext, { provider }: CloudAccess, ms: number): AbortSignal {
  const controller = new AbortController();
  const call = { provider: provider.name, operation: "the lookup of the disk", retryAfterMs: ms };
  const late = new ProviderError("TimedOut", "No answer came in time.", call);
  clock.after(ms, () => controller.abort(late));
  return controller.signal;
}

function isAmong(webhooks: readonly Webhook[], wanted: WebhookName): boolean {
  return webhooks.some(({ name }) => name === wanted);
}

function logNotHosted(
  { log }: ProcessContext,
  { provider }: CloudAccess,
  names: readonly WebhookName[],
): void {
  for (const webhook of names) {
    log.warn(
      { webhook, provider: provider.name },
      "Not hosted: the provider does not support volumes",
    );
  }
}
