import { authority, type CallerPair, clientPair } from "../../harness/certificates.ts";
import { askAs } from "../../harness/controller.ts";
import type { Kube, KubeObject } from "../../harness/kube.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { accountToken } from "../clusters/accounts.ts";
import { type IsolatedEnvironment, isolatedRow, type Replica } from "../environment/isolated.ts";
import type { Scenario } from "../environment/scenario.ts";
import { right, SYSTEM, says, type TakenRightRow, WITHOUT_SERVICES } from "./taken-right.ts";

const CLIENT_CA = {
  resource: "configmaps",
  name: "extension-apiserver-authentication",
  ...SYSTEM,
};
const GUARDED = {
  ...WITHOUT_SERVICES,
  "--authorization-always-allow-paths": "/healthz,/readyz,/livez,/metrics",
};

/** Rights for authenticating and authorising callers of the HTTPS port. */
export const CALLER_RIGHTS: readonly TakenRightRow[] = [
  {
    id: "P-18",
    ...right("https-authentication", "create", "tokenreviews"),
    group: "authentication.k8s.io",
    title: "a caller with a token is refused, and the log says why",
    flags: GUARDED,
    knowsCallers: true,
    shows: async (env, replica) => {
      await refusesCaller(env, replica);
      await says(replica, /A request over HTTPS failed.*tokenreviews/);
    },
  },
  {
    id: "P-19",
    ...right("https-authorization", "create", "subjectaccessreviews"),
    group: "authorization.k8s.io",
    title: "a caller with a token is refused, and the log says why",
    flags: GUARDED,
    knowsCallers: true,
    shows: async (env, replica) => {
      await refusesCaller(env, replica);
      await says(replica, /A request over HTTPS failed.*subjectaccessreviews/);
    },
  },
  {
    id: "P-20",
    part: "https-authentication",
    verb: "get",
    ...CLIENT_CA,
    title: "it ends with 1 and says what to grant or to give",
    flags: GUARDED,
    knowsCallers: true,
    ends: true,
    shows: async (_, replica) => {
      same(await replica.ended, 1, "the exit code");
      for (const part of [
        "grant get, list and watch on the ConfigMap kube-system/extension-apiserver-authentication",
        "--authentication-tolerate-lookup-failure",
      ])
        demand(replica.output().includes(part), `it says ${replica.output()}`);
    },
  },
  {
    id: "P-21",
    part: "https-authentication",
    verb: "list",
    ...CLIENT_CA,
    title: "a client CA that the cluster adds is not noticed (P-53)",
    flags: GUARDED,
    knowsCallers: true,
    shows: newCallersStayUnknown,
  },
  {
    id: "P-22",
    part: "https-authentication",
    verb: "watch",
    ...CLIENT_CA,
    title: "it is listed again and again instead, and a log of details says so",
    flags: { ...GUARDED, "--v": "4" },
    knowsCallers: true,
    shows: (_, replica) => says(replica, /The watch of the client CA was interrupted/),
  },
];

/** A failed review must not look like a verdict about the caller. */
async function refusesCaller(env: IsolatedEnvironment, replica: Replica): Promise<void> {
  const scraper = await accountToken(env.kube, `${env.name}-scraper`, [
    { nonResourceURLs: ["/configz"], verbs: ["get"] },
  ]);
  same((await replica.ask("/configz", scraper))?.status, 503, "the answer to the caller");
}

const CONFIG_MAPS = "/api/v1/namespaces/kube-system/configmaps";
/** Many times longer than it takes to notice the change. */
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

/** Checks that nobody notices that the cluster now trusts another authority. */
async function newCallersStayUnknown(env: IsolatedEnvironment, replica: Replica): Promise<void> {
  await eventually(async () => same((await replica.ask("/readyz"))?.status, 200, "the readiness"));
  const caller = await becomesKnownToCluster(env, replica);
  await always(async () => same(await isKnown(replica, caller), false, "whether it is known"), {
    forMs: SHORT_MS,
  });
}

/** Adds an authority to those of the cluster's clients, and checks that its caller becomes known. */
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

/** Throws if another row, which adds one too, changes it meanwhile. The sandbox's cluster has none at first. */
async function addAuthority(kube: Kube, certificate: string): Promise<void> {
  const { items } = await kube.list<ConfigMap>(CONFIG_MAPS);
  const known = items.find(({ metadata }) => metadata.name === CLIENT_CA.name);
  if (known === undefined) {
    const data = { "client-ca-file": certificate };
    await kube.create(CONFIG_MAPS, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: CLIENT_CA.name },
      data,
    });
    return;
  }
  const before = known.data?.["client-ca-file"] ?? "";
  const { resourceVersion } = known.metadata;
  await kube.patch(`${CONFIG_MAPS}/${CLIENT_CA.name}`, "merge", {
    metadata: { resourceVersion },
    data: { "client-ca-file": `${before.trimEnd()}\n${certificate}` },
  });
}

interface NamedCaller {
  readonly name: string;
  readonly pair: CallerPair;
}

/** Reports whether the refusal, as nothing is granted, names the caller. A stranger is nobody, or anonymous if no authority is known. */
async function isKnown(replica: Replica, { name, pair }: NamedCaller): Promise<boolean> {
  const answer = await askAs(replica.securePort, "/configz", pair);
  return answer?.status === 403 && answer.body.includes(`"${name}"`);
}
