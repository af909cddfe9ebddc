import type { KubeConnection } from "@cloudwright/core/kube/calls/kube-client";
import { NAMESPACES } from "@cloudwright/core/kube/client";
import { isKubeError } from "@cloudwright/core/kube/errors";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import type { Log } from "../../logging/log.ts";
import type { ProcessContext } from "../process-context.ts";

/**
 * Replaces the cluster's UID while the API server refuses to return it: then nothing that carries an owner is created in the
 * cloud, and no record is kept.
 */
export const UNIDENTIFIED = "unidentified";

export function isIdentified(clusterUid: string): boolean {
  return clusterUid !== UNIDENTIFIED;
}

type Settings = Pick<ProcessContext, "log" | "clock">;
type Cluster = { readonly client: Pick<KubeConnection, "get"> };

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;
/** The same period as that of the check for missing permissions. */
const REFUSED_PAUSE_MS = 30_000;

/**
 * Returns the cluster's identity: the UID of the namespace kube-system (DESIGN.md "Identity"). Retries until there is an answer
 * or the signal aborts (undefined), as the API server may start after us. A refusal is an answer: `UNIDENTIFIED`.
 */
export async function clusterUid(
  { log, clock }: Settings,
  { client }: Cluster,
  signal: AbortSignal,
): Promise<string | undefined> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const answer = await askOnce(client, log, signal);
    if (answer !== undefined) return answer;
    await pause(clock, pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
  return undefined;
}

/** Returns undefined if there was no answer; logs the reason, unless the signal aborted. */
async function askOnce(
  client: Cluster["client"],
  log: Log,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const uid = await readUid(client, signal);
    if (uid === undefined) log.error({}, "The namespace kube-system has no UID; trying again");
    return uid;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (isKubeError(error) && error.code === "Forbidden") {
      logRefusal(log, error);
      return UNIDENTIFIED;
    }
    logUnreachable(log, error);
    return undefined;
  }
}

/** Resolves once the refused UID can be read. Never resolves otherwise, nor after the signal. */
export async function untilIdentified(
  { log, clock }: Settings,
  { client }: Cluster,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await pause(clock, REFUSED_PAUSE_MS, signal);
    const uid = await readUid(client, signal).catch(() => undefined);
    if (uid !== undefined && !signal.aborted) {
      log.info({ uid }, "The cluster's identity is now known; starting what depends on it");
      return;
    }
  }
  await new Promise(() => {});
}

async function readUid(
  client: Cluster["client"],
  signal: AbortSignal,
): Promise<string | undefined> {
  const namespace = await client.get({ resource: NAMESPACES, name: "kube-system" }, { signal });
  return namespace.metadata?.uid;
}

/** Logged once: the self-check, which follows, lists the missing right as well. */
function logRefusal(log: Log, error: unknown): void {
  log.error(
    { error: messageOf(error) },
    "The cluster's identity is unknown, so load balancers, routes and the ledger are off; nodes are still handled. Grant get on the namespace kube-system",
  );
}

function logUnreachable(log: Log, error: unknown): void {
  const fields = { error: messageOf(error) };
  if (isKubeError(error) && error.code === "Unauthorized") {
    log.error(
      fields,
      "The API server does not accept this process's credentials, so nothing is done: check the token or certificate in its kubeconfig; trying again",
    );
    return;
  }
  log.warn(fields, "The cluster cannot be reached yet; trying again");
}

function pause(clock: ProcessContext["clock"], ms: number, signal: AbortSignal): Promise<void> {
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
