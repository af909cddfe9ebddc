import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Flags } from "../../harness/controller.ts";
import { freePort } from "../../harness/free-port.ts";
import type { Kube, KubeObject } from "../../harness/kube.ts";
import { runCloudwright } from "../../harness/processes.ts";
import { demand, eventually, messageOf, same } from "../../harness/wait.ts";
import { row, type Scenario } from "../environment/scenario.ts";
import { createDisk, createVolume, dropVolumes, placeOf, VOLUMES, volumeBody } from "./objects.ts";

const CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

/** The group's folder with the webhook's certificate. */
const WEBHOOK_TLS = "webhook-tls";

/** A webhook that the group's controller hosts on this machine, where the API server can call it. */
export interface HostedWebhook {
  readonly port: number;
  /** The controller's flags. */
  readonly flags: Flags;
  /** Registers it with the API server, and waits until it is called. */
  register(kube: Kube): Promise<void>;
  unregister(kube: Kube): Promise<void>;
}

/** Uses the certificates and the manifest made by `cloudwright webhook`. */
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

/** API servers take a moment to call a new webhook: once they do, it refuses a disk that does not exist. */
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

interface Configuration extends KubeObject {
  readonly webhooks: readonly { readonly clientConfig: { readonly caBundle: string } }[];
}

const CONFIGURATION = `${CONFIGURATIONS}/pvlabel.cloudwright.io`;

/** Alone in its group: other rows' volumes would be created while the API server does not trust the webhook. */
export const RENEWED_CERTIFICATE: Scenario = row(
  "V-26",
  "a renewed certificate of the webhook is shown without a restart",
  async (env) => {
    const { id } = await createDisk(env, "v-26");
    const isLabelled = async (name: string) => {
      const volume = await createVolume(env, name, { disk: id });
      same(placeOf(volume), ["z1", "r1"], "the labels at its creation");
    };
    await isLabelled("v-26-before");
    const renewed = join(env.dir, "renewed-tls");
    await runCloudwright(["webhook", "certificates", "--out", renewed, "--host", "127.0.0.1"]);
    for (const file of ["tls.key", "tls.crt"])
      copyFileSync(join(renewed, file), join(env.dir, WEBHOOK_TLS, file));
    const caBundle = readFileSync(join(renewed, "ca.crt")).toString("base64");
    const { webhooks } = await env.kube.get<Configuration>(CONFIGURATION);
    await env.kube.patch(CONFIGURATION, "json", [
      { op: "replace", path: "/webhooks/0/clientConfig/caBundle", value: caBundle },
    ]);
    demand(webhooks[0]?.clientConfig.caBundle !== caBundle, "the authority is the old one");
    let tries = 0;
    await eventually(() => isLabelled(`v-26-after-${tries++}`));
    await dropVolumes(env.kube);
    demand(env.controller.output().includes("A renewed certificate is in use"), "no line says so");
  },
);
