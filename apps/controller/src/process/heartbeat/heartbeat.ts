import { isUninitialised } from "@cloudwright/core/controllers/objects/node-object";
import { purposeOf } from "@cloudwright/core/controllers/service/desired/purpose";
import { SERVICE_WATCH } from "@cloudwright/core/controllers/service/module";
import type { Node, Service } from "@cloudwright/core/kube/client";
import type { Informer } from "@cloudwright/core/kube/informer/informer-port";
import type { Heartbeat } from "@cloudwright/core/model/records/record";
import type { FlagValues } from "../../flags/definitions/all.ts";
import { rightText } from "../../permissions/review-rights.ts";
import { VERSION } from "../../version.ts";
import type { CloudAccess } from "../../wiring/cloud/cloud-access.ts";
import { type WatchCaches, watchSilentMs } from "../../wiring/cluster/cluster-informers.ts";
import { idleControllers } from "../../wiring/placement/idle-controllers.ts";
import { placementHere } from "../../wiring/placement/placement.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";
import { leaseName, leasePlace } from "../leading/lead.ts";
import type { ProcessState } from "../process-state.ts";

export interface HeartbeatSource {
  readonly processContext: ProcessContext;
  readonly state: ProcessState;
  readonly cloud: CloudAccess;
  readonly clusterUid: string;
}

const PERIOD_MS = 5_000;

/** Records every 5 s, and on request, that this process is alive. */
export interface Heartbeats {
  beat(): void;
  /** Records a last heartbeat, which says that the process is no longer the leader. */
  stop(): void;
}

export function startHeartbeats(source: HeartbeatSource): Heartbeats {
  const { clock } = source.processContext;
  let cancel = () => {};
  const beat = () => {
    cancel();
    source.state.ledger?.recorder.append(heartbeatOf(source));
    cancel = clock.after(PERIOD_MS, beat);
  };
  beat();
  return {
    beat,
    stop: () => {
      beat();
      cancel();
    },
  };
}

function heartbeatOf(source: HeartbeatSource): Heartbeat {
  const { processContext, state, cloud, clusterUid } = source;
  const { flags, clock, identity, startedAt } = processContext;
  const term = state.leading?.term;
  return {
    type: "heartbeat",
    cluster: clusterUid,
    clusterName: clusterName(flags["cluster-name"], clusterUid),
    provider: cloud.provider.name,
    instance: identity,
    version: VERSION,
    at: clock.now(),
    leader: term !== undefined,
    ...(term === undefined ? {} : { leaseTransitions: term.leaseTransitions }),
    watchSilentMs: Math.round(watchSilentMs(state.informers)),
    dryRun: flags["dry-run"],
    controllers: state.leading?.controllers() ?? [],
    ...controlsOf(state),
    ...permissionsOf(state),
    cloud: { ...definedOnly(cloud.budget.snapshot()), ...quotasOf(cloud) },
    spoolBytes: state.ledger?.status().spoolBytes ?? 0,
    ledgerLagMs: Math.round(state.ledger?.status().lagMs ?? 0),
    startedAt,
    ...leaseOf(processContext),
    idle: idleOf(source),
    ...inventoryOf(state.informers, flags),
    ...eventWatchOf(state),
  };
}

function leaseOf(processContext: ProcessContext): Pick<Heartbeat, "lease"> {
  const { flags } = processContext;
  if (!flags["leader-elect"]) return {};
  return { lease: leasePlace(processContext, leaseName(processContext)) };
}

function idleOf({ processContext, state, cloud }: HeartbeatSource): NonNullable<Heartbeat["idle"]> {
  const { flags } = processContext;
  return idleControllers({
    flags,
    provider: cloud.provider,
    running: (state.leading?.controllers() ?? []).map(({ name }) => name),
    isLeading: state.leading !== undefined,
    placement: placementHere(processContext),
    holdsMigrationLease: state.migration?.isLeader() === true,
  });
}

function controlsOf({ leading }: ProcessState): Pick<Heartbeat, "controls"> {
  const controls = leading?.controls();
  return controls === undefined ? {} : { controls };
}

function eventWatchOf({ eventRecording }: ProcessState): Pick<Heartbeat, "eventWatch"> {
  return eventRecording === undefined ? {} : { eventWatch: eventRecording.status() };
}

function permissionsOf({ permissions }: ProcessState): Pick<Heartbeat, "missingPermissions"> {
  const missing = permissions?.missing() ?? [];
  return missing.length === 0 ? {} : { missingPermissions: missing.map(rightText) };
}

/** Upstream's default name says nothing, so a part of the UID replaces it (DESIGN.md "Identity"). */
function clusterName(flag: string, uid: string): string {
  return flag === "kubernetes" ? uid.slice(0, 8) : flag;
}

function definedOnly(
  snapshot: ReturnType<CloudAccess["budget"]["snapshot"]>,
): NonNullable<Heartbeat["cloud"]> {
  const { callsLastMinute, throttledLastMinute } = snapshot;
  const { allowedPerSecond, resumesAt, failingSince, closedSince } = snapshot;
  return {
    callsLastMinute,
    throttledLastMinute,
    ...(allowedPerSecond === undefined ? {} : { allowedPerSecond }),
    ...(resumesAt === undefined ? {} : { resumesAt }),
    ...(failingSince === undefined ? {} : { failingSince }),
    ...(closedSince === undefined ? {} : { closedSince }),
  };
}

function quotasOf({ quotas }: CloudAccess): Pick<NonNullable<Heartbeat["cloud"]>, "quotas"> {
  const known = quotas?.latest() ?? [];
  return known.length === 0 ? {} : { quotas: known };
}

type Counted<T extends Node | Service> = Pick<Informer<T>, "list" | "hasSynced">;

/**
 * Counts the objects in the informer caches. The ledger only has rows of objects that a controller has observed: a page that
 * counted those would call a cluster healthy of which it knows only a part. Returns nothing before the first lists have arrived.
 */
export function inventoryOf(
  informers:
    | { readonly nodes: Counted<Node>; readonly caches: Pick<WatchCaches, "find"> }
    | undefined,
  flags: Pick<FlagValues, "load-balancer-class" | "load-balancer-classless">,
): Pick<Heartbeat, "inventory"> {
  if (informers === undefined || !informers.nodes.hasSynced) return {};
  const nodes = informers.nodes.list();
  return {
    inventory: {
      nodes: nodes.length,
      uninitialised: nodes.filter(isUninitialised).length,
      ...servedOf(informers.caches.find(SERVICE_WATCH), flags),
    },
  };
}

function servedOf(
  services: Counted<Service> | undefined,
  flags: Pick<FlagValues, "load-balancer-class" | "load-balancer-classless">,
): { readonly services?: number } {
  if (services === undefined || !services.hasSynced) return {};
  const served = {
    classes: flags["load-balancer-class"],
    classless: flags["load-balancer-classless"],
    mayHaveLoadBalancer: false,
  };
  const isServed = (service: Service) => purposeOf(service, served).kind === "serve";
  return { services: services.list().filter(isServed).length };
}
