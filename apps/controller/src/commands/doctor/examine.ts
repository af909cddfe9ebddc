import { setMaxListeners } from "node:events";
import { type ClusterAccess, loadKubeConfig } from "@cloudwright/core/kube/access/kubeconfig";
import { createKubeClient, type KubeConnection } from "@cloudwright/core/kube/calls/kube-client";
import { NAMESPACES, type Node } from "@cloudwright/core/kube/client";
import { databaseUrlOf } from "../../flags/database-url.ts";
import { createLog } from "../../logging/log.ts";
import { errorText } from "../../plain-error.ts";
import { leaseName } from "../../process/leading/lead.ts";
import { USER_AGENT } from "../../version.ts";
import { accessCloud, type CloudAccess } from "../../wiring/cloud/cloud-access.ts";
import { initialise, loadCloud } from "../../wiring/cloud/load-cloud.ts";
import { UNIDENTIFIED } from "../../wiring/cluster/cluster-identity.ts";
import { createClusterObjects } from "../../wiring/cluster/cluster-objects.ts";
import { NEVER_WRITE } from "../../wiring/cluster/fences.ts";
import { checkAdoption, checkRoutes } from "../../wiring/connect.ts";
import { runnable } from "../../wiring/controllers/controller-needs.ts";
import { placementHere, readLeaderMigration } from "../../wiring/placement/placement.ts";
import {
  type ControllerStart,
  createProcessContext,
  type ProcessContext,
} from "../../wiring/process-context.ts";
import { previewOnce } from "../plan/preview-once.ts";
import { examineCloud } from "./examine-cloud.ts";
import { examineDatabase } from "./examine-database.ts";
import { examinePermissions, type ServiceAccount } from "./examine-permissions.ts";
import { type Finding, type Judged, ok, problem, type Topic, unknown } from "./finding.ts";
import { judgeClock, judgeLease, judgeServerName } from "./judge-cluster.ts";
import { judgeComponents } from "./judge-components.ts";
import { judgeNodes } from "./judge-nodes.ts";
import { judgeRanges } from "./judge-ranges.ts";
import { judgeTakeover } from "./judge-takeover.ts";
import type { Diagnosis } from "./print-findings.ts";
import { ClusterReader, lookUp } from "./read-cluster.ts";

export interface DoctorOptions {
  readonly timeoutMs: number;
  /** The account that the controller will run as; undefined: the user who runs this command. */
  readonly account: ServiceAccount | undefined;
}

/** Examines everything that a controller with these flags needs to work; one failure does not stop the rest. Reads only. */
export async function examine(start: ControllerStart, options: DoctorOptions): Promise<Diagnosis> {
  const findings: Finding[] = [];
  const note = (topic: Topic, judged: readonly Judged[]) => {
    findings.push(...judged.map((each) => ({ topic, ...each })));
  };
  const signal = AbortSignal.timeout(options.timeoutMs);
  // The lookup of every node listens to it.
  setMaxListeners(0, signal);
  const processContext = createProcessContext(start, await readLeaderMigration(start.flags));
  const cloud = await openCloud(processContext, note);
  const cluster = await openCluster(processContext, note);
  try {
    const parts = { processContext, cloud, note, signal };
    const seen = cluster === undefined ? NOTHING : await examineCluster({ ...parts, ...cluster });
    if (cluster !== undefined && seen.answers) {
      await examineRights({ ...parts, ...cluster, account: options.account });
    }
    await examineTheCloud(parts, seen);
    note("database", await examineDatabase(databaseUrlOf(start), seen.clusterUid));
    if (cloud !== undefined && seen.answers) {
      note("takeover", await examineTakeover(start, options));
    }
  } finally {
    await Promise.all([cluster?.client.close(), cloud?.provider.close?.()]);
  }
  return {
    server: cluster?.access.server,
    provider: start.flags["cloud-provider"],
    atMs: processContext.clock.now(),
    findings,
  };
}

type Note = (topic: Topic, judged: readonly Judged[]) => void;

async function openCloud(processContext: ProcessContext, note: Note) {
  const { flags } = processContext;
  const shown = { objects: createClusterObjects(), fence: { current: NEVER_WRITE.held } };
  try {
    const provider = await loadCloud(processContext, shown);
    checkRoutes(flags, provider);
    checkAdoption(flags, provider);
    note("cloud", [ok(`The configuration of the provider ${provider.name} can be used.`)]);
    return accessCloud(processContext, provider, NEVER_WRITE);
  } catch (error) {
    note("cloud", [
      problem(errorText(error), "Correct this first: until then the controller does not start."),
    ]);
    return undefined;
  }
}

interface OpenedCluster {
  readonly access: ClusterAccess;
  readonly client: KubeConnection;
}

async function openCluster(
  processContext: ProcessContext,
  note: Note,
): Promise<OpenedCluster | undefined> {
  const { flags, clock } = processContext;
  try {
    const { kubeconfig, master } = flags;
    const access = await loadKubeConfig({ kubeconfig, master, clock });
    // Its only writes are reviews, which the API server answers and does not store.
    const client = createKubeClient({ access, qps: 0, burst: 1, clock, userAgent: USER_AGENT });
    return { access, client };
  } catch (error) {
    note("cluster", [problem(errorText(error), "Give --kubeconfig, or run this in a pod.")]);
    return undefined;
  }
}

interface Seen {
  readonly answers: boolean;
  readonly clusterUid: string | undefined;
  readonly nodes: readonly Node[] | undefined;
}
const NOTHING: Seen = { answers: false, clusterUid: undefined, nodes: undefined };

interface Parts {
  readonly processContext: ProcessContext;
  readonly cloud: CloudAccess | undefined;
  readonly note: Note;
  readonly signal: AbortSignal;
}

async function examineCluster(parts: Parts & OpenedCluster): Promise<Seen> {
  const { processContext, cloud, access, client, note, signal } = parts;
  const { flags, clock } = processContext;
  const reader = new ClusterReader(client, clock, signal);
  const host = new URL(access.server).hostname.replace(/^\[|\]$/g, "");
  note("cluster", [judgeServerName(host, await lookUp(host))]);
  const version = await attempt(() => reader.version());
  if (version.kind === "failed") {
    note("cluster", [
      problem(
        `The API server at ${access.server} does not answer: ${version.why}`,
        "Check the address, the certificate and the credentials in the kubeconfig.",
      ),
    ]);
    return NOTHING;
  }
  note("cluster", [ok(`The API server at ${access.server} answers: Kubernetes ${version.value}.`)]);
  note("cluster", await examineIdentity(reader));
  note("cluster", await examineLease(parts, reader));
  const uid = await attempt(() =>
    client.get({ resource: NAMESPACES, name: "kube-system" }, { signal }),
  );
  const clusterUid = uid.kind === "known" ? uid.value.metadata?.uid : undefined;
  const nodes = await attempt(() => reader.nodes());
  const containers = await attempt(() => reader.containers());
  note(
    "components",
    containers.kind === "known"
      ? judgeComponents(containers.value, flags)
      : [unknown(`What runs in the cluster could not be listed: ${containers.why}`, AS_ADMIN)],
  );
  if (nodes.kind === "failed") {
    note("nodes", [problem(`The nodes could not be listed: ${nodes.why}`, "Grant list on nodes.")]);
    return { answers: true, clusterUid, nodes: undefined };
  }
  const ranges = await attempt(() => reader.serviceRanges());
  const serviceRanges = ranges.kind === "known" ? ranges.value : [];
  note("ranges", judgeRanges({ flags, nodes: nodes.value, serviceRanges }));
  const provider = cloud?.provider.name ?? flags["cloud-provider"];
  note("nodes", judgeNodes({ nodes: nodes.value, provider, running: runningOf(parts) }));
  return { answers: true, clusterUid, nodes: nodes.value };
}

const AS_ADMIN = "Run doctor as somebody who may list them, such as a cluster admin.";

function runningOf({ processContext, cloud }: Parts) {
  const { main, migrated } = placementHere(processContext);
  const selected = [...main, ...migrated];
  return cloud === undefined ? selected : runnable(selected, { processContext, cloud });
}

async function examineIdentity(reader: ClusterReader): Promise<Judged[]> {
  const who = await attempt(() => reader.whoAmI());
  if (who.kind === "failed") {
    return [
      unknown(
        `The API server did not say who this is: ${who.why}`,
        "Compare this machine's clock with the API server's by hand.",
      ),
    ];
  }
  const { name, clock } = who.value;
  return [
    ok(`The API server knows this command as ${name}.`),
    clock === undefined
      ? unknown("The API server's clock is not visible.", "Compare both clocks by hand.")
      : judgeClock(clock),
  ];
}

async function examineLease({ processContext }: Parts, reader: ClusterReader): Promise<Judged[]> {
  const namespace = processContext.flags["leader-elect-resource-namespace"];
  const name = leaseName(processContext);
  const lease = await attempt(() => reader.lease(namespace, name));
  const place = `${namespace}/${name}`;
  return [
    lease.kind === "known"
      ? judgeLease(lease.value, place, processContext.clock.now())
      : unknown(`The Lease ${place} could not be read: ${lease.why}`, AS_ADMIN),
  ];
}

async function examineRights(
  parts: Parts & OpenedCluster & { readonly account: ServiceAccount | undefined },
): Promise<void> {
  const { processContext, cloud, client, account, note } = parts;
  const placement = placementHere(processContext);
  note(
    "permissions",
    await examinePermissions({ processContext, placement, cloud, client, account }),
  );
}

async function examineTheCloud(parts: Parts, { nodes, clusterUid }: Seen): Promise<void> {
  const { processContext, cloud, note, signal } = parts;
  if (cloud === undefined) return;
  const begun = await attempt(() =>
    initialise({ processContext, cloud, clusterUid: clusterUid ?? UNIDENTIFIED }, signal),
  );
  if (begun.kind === "failed") {
    note("cloud", [
      problem(
        `The provider ${cloud.provider.name} could not start: ${begun.why}`,
        "Check the credentials and the endpoints in --cloud-config.",
      ),
    ]);
    return;
  }
  const nowMs = processContext.clock.now();
  note("cloud", await examineCloud({ cloud, nodes, clusterUid, nowMs, signal }));
}

/** A log that discards everything: failures of a preview are findings. */
const UNHEARD = createLog({ format: "text", verbosity: 0, write: () => undefined });

async function examineTakeover(
  start: ControllerStart,
  { timeoutMs }: DoctorOptions,
): Promise<Judged[]> {
  const seen = await attempt(() => previewOnce({ ...start, log: UNHEARD }, timeoutMs));
  return seen.kind === "known"
    ? judgeTakeover(seen.value)
    : [unknown(`What would be done could not be planned: ${seen.why}`, "Run cloudwright plan.")];
}

type Attempt<Value> =
  | { readonly kind: "known"; readonly value: Value }
  | { readonly kind: "failed"; readonly why: string };

/** Runs one part of the examination; a failure becomes a finding, and the rest continues. */
async function attempt<Value>(work: () => Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { kind: "known", value: await work() };
  } catch (error) {
    return { kind: "failed", why: errorText(error) };
  }
}
