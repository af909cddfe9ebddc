import { authority, type CallerPair, clientPair } from "../../harness/certificates.ts";
import { askAs } from "../../harness/controller.ts";
import type { Kube, KubeObject } from "../../harness/kube.ts";
import { always, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRow, type Replica } from "../environment/isolated.ts";
import type { Scenario } from "../environment/scenario.ts";

const CONFIG_MAPS = "/api/v1/namespaces/kube-system/configmaps";
const CLIENT_CA = "extension-apiserver-authentication";
/** What it takes to see the change, many times over. */
const SHORT_MS = 5_000;

/** Row P-53: what row P-21 lacks. */
export const FOLLOWED_CLIENT_CA: Scenario = isolatedRow(
  "P-53",
  "callers whom a client CA vouches for that the cluster adds are known without a restart",
  async (env) => {
    const { controllerKubeconfig: kubeconfig } = env.cluster;
    const replica = await env.start({
      flags: {
        "--leader-elect": "false",
        "--controllers": "-service",
        "--authentication-kubeconfig": kubeconfig,
        "--authorization-kubeconfig": kubeconfig,
      },
    });
    const caller = await becomesKnownToCluster(env, replica);
    await eventually(async () => same(await isKnown(replica, caller), true, "whether it is known"));
  },
);

/** Nobody sees that the cluster trusts another authority by now. */
export async function newCallersStayStrangers(
  env: IsolatedEnvironment,
  replica: Replica,
): Promise<void> {
  await eventually(async () => same((await replica.ask("/readyz"))?.status, 200, "the readiness"));
  const caller = await becomesKnownToCluster(env, replica);
  await always(async () => same(await isKnown(replica, caller), false, "whether it is known"), {
    forMs: SHORT_MS,
  });
}

/** A caller of an authority that is added to those of the cluster's clients. */
async function becomesKnownToCluster(
  env: IsolatedEnvironment,
  replica: Replica,
): Promise<NamedCaller> {
  const signer = await authority(`${env.name} clients`);
  const caller = { name: env.name, pair: await clientPair(signer, env.name) };
  same(await isKnown(replica, caller), false, "whether it is known before the cluster trusts it");
  await eventually(() => addAuthority(env.kube, signer.cert));
  return caller;
}

type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** Throws when somebody else changes it meanwhile: another row adds one, too. The sandbox's cluster has none at first. */
async function addAuthority(kube: Kube, certificate: string): Promise<void> {
  const { items } = await kube.list<ConfigMap>(CONFIG_MAPS);
  const known = items.find(({ metadata }) => metadata.name === CLIENT_CA);
  if (known === undefined) {
    const data = { "client-ca-file": certificate };
    await kube.create(CONFIG_MAPS, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: CLIENT_CA },
      data,
    });
    return;
  }
  const before = known.data?.["client-ca-file"] ?? "";
  const { resourceVersion } = known.metadata;
  await kube.patch(`${CONFIG_MAPS}/${CLIENT_CA}`, "merge", {
    metadata: { resourceVersion },
    data: { "client-ca-file": `${before.trimEnd()}\n${certificate}` },
  });
}

interface NamedCaller {
  readonly name: string;
  readonly pair: CallerPair;
}

/** Nothing is granted to it, and the refusal names who asked. A stranger is nobody, or anonymous where no authority is known. */
async function isKnown(replica: Replica, { name, pair }: NamedCaller): Promise<boolean> {
  const answer = await askAs(replica.securePort, "/configz", pair);
  return answer?.status === 403 && answer.body.includes(`"${name}"`);
}
