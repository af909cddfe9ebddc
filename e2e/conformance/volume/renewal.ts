import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { KubeObject } from "../../harness/kube.ts";
import { runCloudwright } from "../../harness/processes.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { row, type Scenario } from "../environment/scenario.ts";
import { CONFIGURATIONS, WEBHOOK_TLS } from "./hosted-webhook.ts";
import { createDisk, createVolume, dropVolumes, placeOf } from "./objects.ts";

interface Configuration extends KubeObject {
  readonly webhooks: readonly { readonly clientConfig: { readonly caBundle: string } }[];
}

const CONFIGURATION = `${CONFIGURATIONS}/pvlabel.cloudwright.io`;

/** Alone in its group: volumes of others would be created while the API server trusts nobody. */
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
