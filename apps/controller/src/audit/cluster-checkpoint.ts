import { CONFIG_MAPS, type KubeObject, NAMESPACES } from "@cloudwright/core/kube/client";
import { isKubeError } from "@cloudwright/core/kube/errors";
import { createKubeClient, type KubeConnection } from "@cloudwright/core/kube/kube-client";
import { loadKubeConfig } from "@cloudwright/core/kube/kubeconfig";
import { systemClock } from "@cloudwright/core/kube/system-clock";
import { AUDIT_CHAINS, parseAuditCheckpoint } from "@cloudwright/core/model/audit-checkpoint";
import { checkpointPlace } from "@cloudwright/core/reconcile/checkpoints/record-keeper";
import { parseRecord } from "@cloudwright/core/reconcile/controls/control-record";
import { CONTROL_RECORD_NAME } from "@cloudwright/core/reconcile/controls/control-store";
import type { KnownHead } from "@cloudwright/store/audit/chain-views";
import { ACCOUNTS_CHAIN } from "@cloudwright/store/audit/entry-text";
import { PlainError } from "../plain-error.ts";
import { VERSION } from "../version.ts";

/** The heads that a cluster keeps of audit chains, by the chain. */
export type KnownHeads = ReadonlyMap<string, KnownHead>;

/**
 * Reads the checkpoint that the leader has written into the cluster. None when there is none yet. Throws KubeConfigError,
 * KubeError, and PlainError for a checkpoint that cannot be read.
 */
export async function clusterCheckpoint(
  kubeconfig: string,
  namespace: string,
): Promise<KnownHeads> {
  return await askCluster(kubeconfig, async (client) => {
    const text = await checkpointText(client, namespace);
    return text === undefined ? new Map() : headsOf(text, await uidOfCluster(client), namespace);
  });
}

async function askCluster<Result>(
  kubeconfig: string,
  work: (client: KubeConnection) => Promise<Result>,
): Promise<Result> {
  const access = await loadKubeConfig({ kubeconfig, clock: systemClock });
  const client = createKubeClient({
    access,
    qps: 0,
    burst: 1,
    clock: systemClock,
    userAgent: `cloudwright/${VERSION}`,
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** The id of the cluster that a kubeconfig leads to. Throws KubeConfigError and KubeError. */
export async function clusterUid(kubeconfig: string): Promise<string> {
  return await askCluster(kubeconfig, uidOfCluster);
}

async function checkpointText(
  client: KubeConnection,
  namespace: string,
): Promise<string | undefined> {
  const target = { resource: CONFIG_MAPS, namespace, name: CONTROL_RECORD_NAME };
  try {
    const found = await client.get<KubeObject & { readonly data?: Record<string, string> }>(target);
    return parseRecord(found.data ?? {}).record.checkpoint;
  } catch (error) {
    if (isKubeError(error) && error.code === "NotFound") return undefined;
    throw error;
  }
}

async function uidOfCluster(client: KubeConnection): Promise<string> {
  const { metadata } = await client.get({ resource: NAMESPACES, name: "kube-system" });
  return metadata?.uid ?? "";
}

function headsOf(text: string, clusterUid: string, namespace: string): KnownHeads {
  const place = checkpointPlace(namespace);
  const checkpoint = parseAuditCheckpoint(text);
  if (checkpoint === undefined) {
    throw new PlainError(
      `The audit checkpoint in ${place} cannot be read: somebody has written something else there.`,
    );
  }
  const names = { cluster: clusterUid, accounts: ACCOUNTS_CHAIN };
  const heads = AUDIT_CHAINS.flatMap((chain): [string, KnownHead][] => {
    const head = checkpoint[chain];
    return head === undefined ? [] : [[names[chain], { ...head, at: checkpoint.at, place }]];
  });
  return new Map(heads);
}
