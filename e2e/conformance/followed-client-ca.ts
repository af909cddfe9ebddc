import { authority, type CallerPair, clientPair } from "../harness/certificates.ts";
import { askAs } from "../harness/controller.ts";
import type { KubeObject } from "../harness/kube.ts";
import { always, eventually, same } from "../harness/wait.ts";
import type { Scenario } from "./scenario.ts";
import { onStage, type Replica, type Stage } from "./stage.ts";

const CLIENT_CA = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
/** What it takes to see the change, many times over. */
const SHORT_MS = 5_000;

/** Row P-53: what row P-21 lacks. */
export const FOLLOWED_CLIENT_CA: Scenario = onStage(
  "P-53",
  "callers whom a client CA vouches for that the cluster adds are known without a restart",
  async (stage) => {
    const { controllerKubeconfig: kubeconfig } = stage.cluster;
    const replica = await stage.start({
      flags: {
        "--leader-elect": "false",
        "--controllers": "-service",
        "--authentication-kubeconfig": kubeconfig,
        "--authorization-kubeconfig": kubeconfig,
      },
    });
    const caller = await becomesKnownToCluster(stage, replica);
    await eventually(async () => same(await statusFor(replica, caller), KNOWN, "the answer"));
  },
);

/** Nobody sees that the cluster trusts another authority by now. */
export async function newCallersStayStrangers(stage: Stage, replica: Replica): Promise<void> {
  await eventually(async () => same((await replica.ask("/readyz"))?.status, 200, "the readiness"));
  const caller = await becomesKnownToCluster(stage, replica);
  await always(async () => same(await statusFor(replica, caller), STRANGE, "the answer"), {
    forMs: SHORT_MS,
  });
}

/** A caller whom nothing is granted. */
const KNOWN = 403;
/** One whose certificate nobody trusted has signed. */
const STRANGE = 401;

/** A caller of an authority that is added to those of the cluster's clients. */
async function becomesKnownToCluster(stage: Stage, replica: Replica): Promise<CallerPair> {
  const signer = await authority(`${stage.name} clients`);
  const caller = await clientPair(signer, stage.name);
  same(await statusFor(replica, caller), STRANGE, "the answer before the cluster trusts it");
  type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };
  const { data } = await stage.kube.get<ConfigMap>(CLIENT_CA);
  const before = data?.["client-ca-file"] ?? "";
  await stage.kube.patch(CLIENT_CA, "merge", {
    data: { "client-ca-file": `${before.trimEnd()}\n${signer.cert}` },
  });
  return caller;
}

async function statusFor(replica: Replica, caller: CallerPair): Promise<number | undefined> {
  return (await askAs(replica.securePort, "/configz", caller))?.status;
}
