import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { Kube, KubeObject } from "../../harness/kube.ts";
import { PROJECT_ROOT } from "../../harness/processes.ts";
import { accountKubeconfig, ignoreExisting } from "./accounts.ts";
import { createGrants } from "./shipped-roles.ts";

const TEMPLATE = join(PROJECT_ROOT, "packages/providers/grpc/template");
const ACCOUNT = { namespace: "kube-system", name: "cloudwright-provider" };

export interface ProviderAccount {
  /** The template's files with its roles. */
  readonly files: readonly string[];
  /** An administrator's kubeconfig. */
  readonly kubeconfig: string;
  readonly dir: string;
}

/** Returns the path of a kubeconfig with only the rights that the template gives to a provider process. */
export async function providerKubeconfig(
  kube: Kube,
  { files, kubeconfig, dir }: ProviderAccount,
): Promise<string> {
  const objects = files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(TEMPLATE, file), "utf8")).map(
      (document) => document.toJS() as KubeObject,
    ),
  );
  for (const account of objects.filter(({ kind }) => kind === "ServiceAccount"))
    await ignoreExisting(
      kube.create(`/api/v1/namespaces/${account.metadata.namespace}/serviceaccounts`, account),
    );
  await createGrants(
    kube,
    objects.filter(({ kind }) => kind !== "ServiceAccount"),
  );
  return accountKubeconfig(kube, ACCOUNT, { kubeconfig, dir });
}
