import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { type Kube, KubeFailure, type KubeObject } from "../../harness/kube.ts";

/** The namespace of the suite's service accounts; testcluster's audit log records all of their requests. */
export const ACCOUNTS_NAMESPACE = "conformance";

/** A service account. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the user name of a service account, in the suite's namespace by default. */
export function accountUser(account: string, namespace = ACCOUNTS_NAMESPACE): string {
  return `system:serviceaccount:${namespace}:${account}`;
}

export interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** The rights of an administrator. */
export const EVERYTHING: readonly Rule[] = [
  { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
  { nonResourceURLs: ["*"], verbs: ["*"] },
];

/** Creates a service account with these rights in the whole cluster; returns a token for it. */
export async function accountToken(
  kube: Kube,
  name: string,
  rules: readonly Rule[],
): Promise<string> {
  await createNamespace(kube, ACCOUNTS_NAMESPACE);
  if (rules.length > 0) await grant(kube, name, rules);
  return tokenOf(kube, { namespace: ACCOUNTS_NAMESPACE, name });
}

/** Returns the path of a kubeconfig with a token of that account, which is created if necessary and has no rights. */
export async function accountKubeconfig(
  kube: Kube,
  account: Account,
  { kubeconfig, dir }: { readonly kubeconfig: string; readonly dir: string },
): Promise<string> {
  await createNamespace(kube, account.namespace);
  const token = await tokenOf(kube, account);
  return otherKubeconfig(kubeconfig, { dir, name: account.name, token });
}

/** Longer than any run of the suite. */
const TOKEN_SECONDS = 14_400;

async function tokenOf(kube: Kube, { namespace, name }: Account): Promise<string> {
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await ignoreExisting(
    kube.create(accounts, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } }),
  );
  const answer = await kube.create<KubeObject & { status: { token: string } }>(
    `${accounts}/${name}/token`,
    {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { expirationSeconds: TOKEN_SECONDS },
    },
  );
  return answer.status.token;
}

export async function createNamespace(kube: Kube, name: string): Promise<void> {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  await ignoreExisting(kube.create("/api/v1/namespaces", namespace));
}

async function grant(kube: Kube, account: string, rules: readonly Rule[]): Promise<void> {
  const api = "/apis/rbac.authorization.k8s.io/v1";
  const name = `conformance-${account}`;
  const typed = (kind: string) => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind,
    metadata: { name },
  });
  await ignoreExisting(kube.create(`${api}/clusterroles`, { ...typed("ClusterRole"), rules }));
  await ignoreExisting(
    kube.create(`${api}/clusterrolebindings`, {
      ...typed("ClusterRoleBinding"),
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
      subjects: [{ kind: "ServiceAccount", name: account, namespace: ACCOUNTS_NAMESPACE }],
    }),
  );
}

export async function ignoreExisting(creation: Promise<unknown>): Promise<void> {
  await creation.catch((error: unknown) => {
    if (!(error instanceof KubeFailure && error.status === 409)) throw error;
  });
}

interface Kubeconfig {
  clusters: { name: string; cluster: { server: string } }[];
  users: { name: string; user: object }[];
}

export interface OtherWayIn {
  /** Replaces the administrator's certificate or token. */
  readonly token?: string;
  /** Another port on this machine that leads to the same API server. */
  readonly port?: number;
}

/** Writes a copy of the kubeconfig with another user or another port, and returns its path. */
export function otherKubeconfig(
  kubeconfig: string,
  { dir, name, token, port }: OtherWayIn & { dir: string; name: string },
): string {
  const config = parse(readFileSync(kubeconfig, "utf8")) as Kubeconfig;
  if (token !== undefined) for (const user of config.users) user.user = { token };
  if (port !== undefined)
    for (const { cluster } of config.clusters) cluster.server = `https://127.0.0.1:${port}`;
  const path = join(dir, `${name}.kubeconfig`);
  writeFileSync(path, stringify(config), { mode: 0o600 });
  return path;
}

/** Returns the credential of the kubeconfig's user. */
export function credentialOf(kubeconfig: string): string {
  const config = parse(readFileSync(kubeconfig, "utf8")) as Kubeconfig;
  return JSON.stringify(config.users.map(({ user }) => user));
}

/** Returns the API server's port in a kubeconfig. */
export function serverPort(kubeconfig: string): number {
  const config = parse(readFileSync(kubeconfig, "utf8")) as Kubeconfig;
  return Number(new URL(config.clusters[0]?.cluster.server ?? "").port);
}
