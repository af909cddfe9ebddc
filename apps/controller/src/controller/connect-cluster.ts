import { NODE_INDEXES } from "@cloudwright/core/controllers/node-object";
import { NAMESPACES, NODES, type Node } from "@cloudwright/core/kube/client";
import { isKubeError } from "@cloudwright/core/kube/errors";
import { startInformer } from "@cloudwright/core/kube/informer";
import type { Informer } from "@cloudwright/core/kube/informer-port";
import { createKubeClient, type KubeConnection } from "@cloudwright/core/kube/kube-client";
import type { ClusterAccess } from "@cloudwright/core/kube/kubeconfig";
import { stripNode } from "@cloudwright/core/kube/strip";
import type { Log } from "../logging/log.ts";
import { USER_AGENT } from "../version.ts";
import type { Fences } from "./fences.ts";
import type { Foundation } from "./foundation.ts";

export interface ClusterConnection {
  /** Limited by --kube-api-qps; writes only while this process leads. */
  readonly client: KubeConnection;
  /** The election's own: no other call delays a renewal, and it writes to become leader in the first place. Its fence lets that pass. */
  readonly election: KubeConnection;
  close(): Promise<void>;
}

export function connectCluster(
  { flags, clock, metrics }: Foundation,
  access: ClusterAccess,
  fences: Pick<Fences, "main" | "election">,
): ClusterConnection {
  const shared = {
    access,
    clock,
    userAgent: USER_AGENT,
    onCall: metrics.kube,
    onLookup: metrics.kubeNames,
  };
  const client = createKubeClient({
    ...shared,
    qps: flags["kube-api-qps"],
    burst: flags["kube-api-burst"],
    fence: fences.main,
  });
  const election = createKubeClient({ ...shared, qps: 0, burst: 0, fence: fences.election });
  return {
    client,
    election,
    close: async () => {
      await Promise.all([client.close(), election.close()]);
    },
  };
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

/**
 * The cluster's identity: the UID of the namespace kube-system (DESIGN.md "Identity"). Asks until it is told or the signal
 * aborts (undefined), as the API server may come up after us.
 */
export async function clusterUid(
  { log, clock }: Pick<Foundation, "log" | "clock">,
  { client }: { readonly client: Pick<KubeConnection, "get"> },
  signal: AbortSignal,
): Promise<string | undefined> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      const namespace = await client.get({ resource: NAMESPACES, name: "kube-system" }, { signal });
      if (namespace.metadata?.uid !== undefined) return namespace.metadata.uid;
      log.error({}, "The namespace kube-system has no UID; asking again");
    } catch (error) {
      if (signal.aborted) return undefined;
      tellWhyUnknown(log, error);
    }
    await pause(clock, pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
  return undefined;
}

/** A missing permission does not go away by waiting, and must not look like an outage. */
function tellWhyUnknown(log: Log, error: unknown): void {
  const fields = { error: messageOf(error) };
  if (isKubeError(error) && error.code === "Forbidden") {
    log.error(
      fields,
      "The cluster cannot be told, so nothing is done: grant get of the namespace kube-system; asking again",
    );
    return;
  }
  if (isKubeError(error) && error.code === "Unauthorized") {
    log.error(
      fields,
      "The API server does not know this process, so nothing is done: look at the token or certificate of its kubeconfig; asking again",
    );
    return;
  }
  log.warn(fields, "The cluster cannot be reached yet; asking again");
}

/** The mirror of all nodes, kept warm on standbys, too. */
export function mirrorNodes(
  { clock, random, log }: Foundation,
  { client }: ClusterConnection,
  signal: AbortSignal,
): Informer<Node> {
  return startInformer<Node>({
    client,
    resource: NODES,
    indexes: NODE_INDEXES,
    strip: stripNode,
    clock,
    random,
    signal,
    onError: (error) => log.warn({ error: messageOf(error) }, "The watch of nodes was interrupted"),
  });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function pause(clock: Foundation["clock"], ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal.addEventListener("abort", done, { once: true });
  });
}
