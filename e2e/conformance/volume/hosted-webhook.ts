import { join } from "node:path";
import { parse } from "yaml";
import type { Flags } from "../../harness/controller.ts";
import { freePort } from "../../harness/free-port.ts";
import type { Kube } from "../../harness/kube.ts";
import { runCloudwright } from "../../harness/processes.ts";
import { demand, eventually, messageOf } from "../../harness/wait.ts";
import { VOLUMES, volumeBody } from "./objects.ts";

export const CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

/** The folder of the group's, in which the webhook's pair is. */
export const WEBHOOK_TLS = "webhook-tls";

/** A webhook that the group's controller hosts on this machine, where the API server can call it. */
export interface HostedWebhook {
  readonly port: number;
  /** Of the controller. */
  readonly flags: Flags;
  /** Tells the API server of it, and waits until that calls it. */
  register(kube: Kube): Promise<void>;
  unregister(kube: Kube): Promise<void>;
}

/** With the certificates and the manifest that `cloudwright webhook` makes. */
export async function prepareWebhook(dir: string): Promise<HostedWebhook> {
  const port = await freePort();
  const out = join(dir, WEBHOOK_TLS);
  await runCloudwright(["webhook", "certificates", "--out", out, "--host", "127.0.0.1"]);
  const url = `https://127.0.0.1:${port}/admit`;
  const manifest = await runCloudwright([
    ...["webhook", "manifest", "--ca", join(out, "ca.crt"), "--url", url],
  ]);
  const configuration = parse(manifest) as { metadata: { name: string } };
  return {
    port,
    flags: {
      "--webhooks": "pvlabel",
      "--webhook-bind-address": "127.0.0.1",
      "--webhook-secure-port": String(port),
      "--webhook-tls-cert-file": join(out, "tls.crt"),
      "--webhook-tls-private-key-file": join(out, "tls.key"),
    },
    register: async (kube) => {
      await kube.create(CONFIGURATIONS, configuration);
      await inForce(kube);
    },
    unregister: async (kube) => {
      await kube.delete(`${CONFIGURATIONS}/${configuration.metadata.name}`);
    },
  };
}

/** API servers take a moment to call a new webhook: one that they call refuses a disk that there is not. */
async function inForce(kube: Kube): Promise<void> {
  const body = volumeBody("v-00-probe", { disk: "vol-of-nobody" });
  await eventually(async () => {
    const refusal = await kube.create(`${VOLUMES}?dryRun=All`, body).then(
      () => "",
      (error: unknown) => messageOf(error),
    );
    demand(refusal.includes("vol-of-nobody"), `the webhook is not called yet: ${refusal}`);
  });
}
