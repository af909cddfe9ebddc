import { formatDuration } from "@cloudwright/core/model/language/duration";
import { connect } from "@cloudwright/store/database/database";
import { listClusters } from "@cloudwright/store/queries/overview/clusters";
import { duration, FlagProblem, oneOf } from "../flags/kinds.ts";
import { errorText, PlainError } from "../plain-error.ts";
import { accessCloud, type CloudAccess } from "../wiring/cloud/cloud-access.ts";
import { initialise, loadCloud } from "../wiring/cloud/load-cloud.ts";
import { createClusterObjects } from "../wiring/cluster/cluster-objects.ts";
import type { Fences } from "../wiring/cluster/fences.ts";
import {
  type ControllerStart,
  createProcessContext,
  type ProcessContext,
} from "../wiring/process-context.ts";
import { clusterUid as uidOfKubeconfig } from "./audit/cluster-checkpoint.ts";
import { type Leftover, Leftovers, leftoverText } from "./cleanup/leftovers.ts";
import { askDatabase } from "./ledger/database-failure.ts";
import { runWithControllerFlags } from "./terminal/controller-flags.ts";
import { type OwnKinds, splitOwnOptions } from "./terminal/own-options.ts";
import { print } from "./terminal/print.ts";

/**
 * `cloudwright cleanup`: lists what a dead cluster owns in the cloud, and removes it once the list is confirmed. Returns exit
 * code 0 if nothing is left, 2 if leftovers were only listed. Throws PlainError if the cluster is alive, and for leftovers that
 * could not be removed.
 */
export async function runCleanupCommand(args: readonly string[]): Promise<number> {
  const { options, rest } = splitOwnOptions<CleanupOptions>(args, KINDS, OPTION_OF);
  return await runWithControllerFlags(rest, {
    help: () => CLEANUP_HELP,
    // Flags that only a running controller needs are not required here.
    overrides: { "configure-cloud-routes": false },
    run: (start) => cleanUp(start, checked(options)),
  });
}

interface CleanupOptions {
  /** The UID of the dead cluster's namespace kube-system. */
  readonly cluster: string;
  /** The same UID again, which confirms the removal. */
  readonly confirm: string | undefined;
  readonly output: (typeof OUTPUTS)[number];
  readonly timeoutMs: number;
}

const OUTPUTS = ["text", "json"] as const;
const UID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const uid = {
  label: "ID",
  parse: (text: string) => {
    if (UID.test(text)) return text;
    throw new FlagProblem(
      "must be the cluster's id: the UID of its namespace kube-system, as the ledger, the dashboard and the owner tags in the cloud show it",
    );
  },
  format: (text: string | undefined) => text ?? '""',
};

const KINDS: OwnKinds<CleanupOptions> = {
  cluster: uid,
  confirm: uid,
  output: oneOf(OUTPUTS),
  timeoutMs: duration,
};

const OPTION_OF: ReadonlyMap<string, keyof CleanupOptions> = new Map([
  ["--cluster", "cluster"],
  ["--confirm", "confirm"],
  ["--output", "output"],
  ["-o", "output"],
  ["--timeout", "timeoutMs"],
]);

function checked(given: Partial<CleanupOptions>): CleanupOptions {
  const { cluster, confirm } = given;
  if (cluster === undefined) {
    throw new PlainError(
      "Name the dead cluster: give --cluster=ID, the UID of its namespace kube-system.",
    );
  }
  if (confirm !== undefined && confirm !== cluster) {
    throw new PlainError(
      "--confirm and --cluster name different clusters: give the same id in both.",
    );
  }
  return { output: "text", timeoutMs: USUAL_TIMEOUT_MS, ...given, cluster, confirm };
}

const USUAL_TIMEOUT_MS = 1_800_000;

async function cleanUp(start: ControllerStart, options: CleanupOptions): Promise<number> {
  await refuseLivingCluster(start, options.cluster);
  return await withinTime(options.timeoutMs, (signal) => removeLeftovers(start, options, signal));
}

/** Does the work until the time is over. Throws PlainError then; what has been removed by then stays removed. */
async function withinTime<Result>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await work(signal);
  } catch (cause) {
    if (!signal.aborted) throw cause;
    throw new PlainError(
      `The cleanup did not end within ${formatDuration(timeoutMs)}: run the same command again with a longer --timeout, or check the cloud.`,
      { cause },
    );
  }
}

async function removeLeftovers(
  start: ControllerStart,
  { cluster, confirm, output }: CleanupOptions,
  signal: AbortSignal,
): Promise<number> {
  const processContext = createProcessContext(start);
  const cloud = await openCloud(processContext, { cluster, signal });
  try {
    const leftovers = new Leftovers({
      cloud,
      clusterUid: cluster,
      clock: processContext.clock,
      signal,
    });
    const found = await leftovers.list();
    await print(PRINTERS[output].found(found, { cluster, confirm }));
    if (found.length === 0) return 0;
    if (confirm === undefined) return 2;
    await removeAll(leftovers, found, { output, signal });
    await print(PRINTERS[output].removed(found));
    return 0;
  } finally {
    await cloud.provider.close?.();
  }
}

/** Fences that always allow writes: no other process competes for a dead cluster's resources. */
function alwaysWrite({ identity, clock }: ProcessContext): Fences {
  const always = () => true;
  const held = () => ({ holder: identity, term: 0, validUntil: clock.now() + FENCE_MS });
  return { main: always, of: () => always, election: always, held };
}

/** How long a provider in another process may treat each change as allowed, in milliseconds. */
const FENCE_MS = 60_000;

async function openCloud(
  processContext: ProcessContext,
  { cluster, signal }: { readonly cluster: string; readonly signal: AbortSignal },
): Promise<CloudAccess> {
  const fences = alwaysWrite(processContext);
  const shown = { objects: createClusterObjects(), fence: { current: fences.held } };
  const provider = await loadCloud(processContext, shown);
  const cloud = accessCloud(processContext, provider, fences);
  await initialise({ processContext, cloud, clusterUid: cluster }, signal);
  return cloud;
}

/**
 * Removes leftovers one after the other, so that the output shows what happened to each; a failure does not stop the others.
 * Throws PlainError.
 */
async function removeAll(
  leftovers: Leftovers,
  found: readonly Leftover[],
  { output, signal }: Pick<CleanupOptions, "output"> & { readonly signal: AbortSignal },
): Promise<void> {
  for (const leftover of found) {
    try {
      await leftovers.remove(leftover);
      if (output === "text") await print(`Removed ${leftoverText(leftover)}.\n`);
    } catch (error) {
      signal.throwIfAborted();
      await print(`Could not remove ${leftoverText(leftover)}: ${errorText(error)}\n`);
    }
  }
  const left = await leftovers.list();
  if (left.length > 0) {
    throw new PlainError(
      `${left.length} of ${found.length} are still there: ${left.map(leftoverText).join("; ")}. Fix the problems above, then run the same command again.`,
    );
  }
}

/** Refuses to clean up after a living cluster, whose controllers would recreate what is removed. Throws PlainError. */
async function refuseLivingCluster({ flags }: ControllerStart, cluster: string): Promise<void> {
  const { kubeconfig, "database-url": databaseUrl } = flags;
  if (kubeconfig !== "" && (await uidOfKubeconfig(kubeconfig)) === cluster) {
    throw new PlainError(
      "The cluster to clean up after still answers: it is the one of this kubeconfig. Delete its Services of type LoadBalancer instead, and let its controller remove what they had.",
    );
  }
  if (databaseUrl === "") return;
  const db = connect(databaseUrl, { max: 1 });
  try {
    const known = (await askDatabase(listClusters(db))).find(({ id }) => id === cluster);
    const heardAt = known?.lastHeardAt ?? 0;
    if (Date.now() - heardAt > LIVING_MS) return;
    throw new PlainError(
      `A controller of the cluster ${cluster} reported to the ledger at ${new Date(heardAt).toISOString()}: stop it first; otherwise it recreates what is removed.`,
    );
  } finally {
    await db.close();
  }
}

const LIVING_MS = 120_000;

interface Printer {
  found(found: readonly Leftover[], options: Pick<CleanupOptions, "cluster" | "confirm">): string;
  removed(found: readonly Leftover[]): string;
}

const PRINTERS: Record<CleanupOptions["output"], Printer> = {
  text: {
    found: (found, { cluster, confirm }) => {
      if (found.length === 0) return `Nothing in the cloud belongs to the cluster ${cluster}.\n`;
      const lines = found.map((each) => `  ${leftoverText(each)}\n`).join("");
      const head = `${found.length} ${found.length === 1 ? "resource" : "resources"} in the cloud ${found.length === 1 ? "belongs" : "belong"} to the cluster ${cluster}:\n${lines}`;
      return confirm === undefined
        ? `${head}Nothing was removed. To remove all of this, add --confirm=${cluster}.\n`
        : head;
    },
    removed: (found) => `Removed ${found.length}; nothing is left.\n`,
  },
  json: {
    found: (found, { cluster, confirm }) =>
      confirm === undefined || found.length === 0
        ? `${JSON.stringify({ version: 1, cluster, removed: false, leftovers: found.map(leftoverJson) }, undefined, 2)}\n`
        : "",
    removed: (found) =>
      `${JSON.stringify({ version: 1, removed: true, leftovers: found.map(leftoverJson) }, undefined, 2)}\n`,
  },
};

/** The shape is documented: fields are added, never renamed or removed. */
function leftoverJson(leftover: Leftover): object {
  const text = leftoverText(leftover);
  if (leftover.kind === "route") {
    const { id, table, destination, owner } = leftover.route;
    return { kind: "route", id, table, destination, node: owner?.node, text };
  }
  const { facts, service, owner } = leftover.owned;
  const { id, name, addresses } = facts;
  return { kind: "loadBalancer", id, name, addresses, service, uid: owner.objectUid, text };
}

/** The text of `cloudwright cleanup --help`. */
export const CLEANUP_HELP = `Lists what a dead cluster has left in the cloud - load balancers with their parts, and routes - and removes it if you confirm that. It needs neither the cluster nor its ledger.

Usage: cloudwright cleanup --cluster=ID --cloud-provider=NAME --cloud-config=FILE [flags]

      --cluster ID
                        the UID of the namespace kube-system in that cluster
      --confirm ID
            the same id again: remove what is listed; without it nothing is changed
  -o, --output text|json
            text for humans, json for programs (default text)
      --timeout duration
            how long it may take (default 30m0s)
  -h, --help
            show this help

It reads only those of the controller's flags that concern the cloud. With --kubeconfig or --database-url, it refuses to work on a cluster that is still alive.

Exit codes: 0 nothing is left, 2 something is left and was only listed, 1 something could not be removed.
`;
