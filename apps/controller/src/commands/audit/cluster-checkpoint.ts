import { loadKubeConfig } from "@cloudwright/core/kube/access/kubeconfig";
import { createKubeClient, type KubeConnection } from "@cloudwright/core/kube/calls/kube-client";
import { CONFIG_MAPS, type KubeObject, NAMESPACES } from "@cloudwright/core/kube/client";
import { isKubeError } from "@cloudwright/core/kube/errors";
import { systemClock } from "@cloudwright/core/kube/system-clock";
import { parseAuditCheckpoint } from "@cloudwright/core/model/audit/audit-checkpoint";
import {
  CHECKPOINT_KEY,
  checkpointPlace,
} from "@cloudwright/core/reconcile/checkpoints/record-keeper";
import { CONTROL_RECORD_NAME } from "@cloudwright/core/reconcile/controls/control-store";
import { knownHeads } from "@cloudwright/store/audit/audit-chain";
import type { KnownHead } from "@cloudwright/store/views/chains";
import { PlainError } from "../../plain-error.ts";
import { VERSION } from "../../version.ts";

/** The heads of audit chains that are kept outside the database, by chain. */
export type KnownHeads = ReadonlyMap<string, KnownHead>;

export interface ClusterCheckpoint {
  /** The cluster's id, which is the name of its chain. */
  readonly cluster: string;
  readonly place: string;
  /** When it was read, milliseconds since the epoch. */
  readonly at: number;
  /** Empty if there is no checkpoint. */
  readonly heads: KnownHeads;
}

/**
 * Reads the checkpoint that the leader has written into the cluster. Throws KubeConfigError,
 * KubeError, and PlainError for a checkpoint that cannot be read.
 */
export async function clusterCheckpoint(
  kubeconfig: string,
  namespace: string,
): Promise<ClusterCheckpoint> {
  return await askCluster(kubeconfig, async (client) => {
    const at = systemClock.now();
    const text = await checkpointText(client, namespace);
    const cluster = await uidOfCluster(client);
    const place = checkpointPlace(namespace);
    const heads = text === undefined ? new Map() : headsOf(text, cluster, place);
    return { cluster, place, at, heads };
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

/** Returns the id of the cluster that a kubeconfig points to. Throws KubeConfigError and KubeError. */
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
    return found.data?.[CHECKPOINT_KEY];
  } catch (error) {
    if (isKubeError(error) && error.code === "NotFound") return undefined;
    throw error;
  }
}

async function uidOfCluster(client: KubeConnection): Promise<string> {
  const { metadata } = await client.get({ resource: NAMESPACES, name: "kube-system" });
  return metadata?.uid ?? "";
}

function headsOf(text: string, clusterUid: string, place: string): KnownHeads {
  const checkpoint = parseAuditCheckpoint(text);
  if (checkpoint === undefined) {
    throw new PlainError(
      `The audit checkpoint in ${place} cannot be read: it has been overwritten with something else.`,
    );
  }
  return new Map(knownHeads(checkpoint, clusterUid, { place, copy: "configMap" }));
}
