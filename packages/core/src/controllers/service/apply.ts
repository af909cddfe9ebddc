import { isProviderError, type ProviderError } from "@cloudwright/provider-api";
import type { LoadBalancerDirectory } from "../../cloud/ports.ts";
import {
  type KubeClient,
  type Patch,
  SERVICES,
  type Service,
  type Target,
} from "../../kube/client.ts";
import { isKubeError } from "../../kube/errors.ts";
import type { Reason } from "../../model/reason.ts";
import { ObserveAgain } from "../../reconcile/run/observe-again.ts";
import { holdAnnotations, NO_HOLD_ANNOTATIONS } from "../hold/hold.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import type { ObjectView } from "../objects/written-objects.ts";
import {
  type CloudWrite,
  type FinalizerWrite,
  isCloudWrite,
  type ServiceChange,
  type StatusWrite,
} from "./changes.ts";
import { conditionMessage } from "./condition.ts";
import { isRemoval } from "./events.ts";
import type { ReleasedServices } from "./last-seen.ts";
import { refusedMember } from "./memory.ts";
import type { Observed, ServiceContext } from "./observed.ts";
import {
  CLASS_ANNOTATION,
  conditionOf,
  FINALIZER,
  keyOf,
  namespaceOf,
  READY_CONDITION,
  type WantedReady,
} from "./service-object.ts";

type ClusterChange = Exclude<ServiceChange, CloudWrite>;

export interface ApplyPorts {
  readonly directory: LoadBalancerDirectory;
  readonly client: Pick<KubeClient, "patch">;
  readonly view: ObjectView<Service>;
  readonly released: ReleasedServices;
}

/**
 * Makes one write. Returns the Service after a write to it; undefined when it is gone together with what was to be withdrawn.
 * Throws KubeError or ProviderError; ObserveAgain when the failure revealed something: which member is refused, that a part is
 * gone, or that an update of members alone is not enough (spec/30 §5).
 */
export async function applyServiceChange(
  ports: ApplyPorts,
  { change, observed }: { readonly change: ServiceChange; readonly observed: Observed },
  run: ServiceContext,
): Promise<Service | undefined> {
  if (isCloudWrite(change)) {
    await applyToCloud(ports, change, run);
    return undefined;
  }
  if (observed.kind === "orphan" || observed.service === undefined) return undefined;
  return applyToCluster(ports, { change, service: observed.service }, run);
}

async function applyToCloud(
  { released, directory }: ApplyPorts,
  change: CloudWrite,
  run: ServiceContext,
): Promise<void> {
  const { owner, change: cloudChange } = change.cloud.value;
  released.delete(owner.objectUid);
  // New load balancers go before the removal of old ones; a user's action goes before both.
  const priority = isRemoval(change) && run.priority === "new" ? "deletion" : run.priority;
  try {
    await run.cloud(directory).apply(owner, cloudChange, priority);
  } catch (error) {
    throw lessonOf(change, error);
  }
}

function lessonOf({ kind }: CloudWrite, error: unknown): unknown {
  // A busy load balancer is observed again by the loop, and is not a failure.
  if (!isProviderError(error) || error.code === "Conflict") return error;
  const member = refusedMember(error);
  if (member !== undefined) return new ObserveAgain(`member ${member}`, error);
  if (kind === "balancer.members") {
    return maySendMore(error) ? new ObserveAgain("the update of members", error) : error;
  }
  return error.code === "NotFound" ? new ObserveAgain("a part that is gone", error) : error;
}

/** When asked to wait, or refused altogether, we send no more now. */
function maySendMore({ code, call }: ProviderError): boolean {
  return code !== "Throttled" && code !== "Unauthorized" && (call.retryAfterMs ?? 0) === 0;
}

/** Writes to the newest view of the planned Service. */
async function applyToCluster(
  { client, view, released }: ApplyPorts,
  { change, service: planned }: { readonly change: ClusterChange; readonly service: Service },
  run: ServiceContext,
): Promise<Service | undefined> {
  const known = view.get(keyOf(planned));
  const service = known !== undefined && uidOf(known) === uidOf(planned) ? known : planned;
  const isLast = change.kind === "service.finalizer.remove";
  // Noted before the write, as the deletion's event may arrive before the response.
  if (isLast) released.add(uidOf(service));
  try {
    const written = await patchService(client, { change, service }, run);
    if (written !== undefined) view.wrote(written);
    return written;
  } catch (error) {
    if (isLast) released.delete(uidOf(service));
    throw error;
  }
}

/** All writes go through the status subresource, like upstream's, whose roles allow nothing else (spec/00 §15). */
async function patchService(
  client: Pick<KubeClient, "patch">,
  { change, service }: { readonly change: ClusterChange; readonly service: Service },
  run: ServiceContext,
): Promise<Service | undefined> {
  try {
    const patch = patchOf(change, service, run.nowMs);
    return await client.patch<Service>(targetOf(service), patch, run.kube);
  } catch (error) {
    if (isKubeError(error) && error.code === "NotFound" && isFarewell(change)) return undefined;
    throw error;
  }
}

/** Reports whether the Service may be gone before we write: it loses its finalizer, or what it publishes. */
function isFarewell(change: ClusterChange): boolean {
  if (change.kind === "service.finalizer.remove") return true;
  if (change.kind === "service.condition.write") return true;
  return change.kind === "service.status.write" && change.after.ingress.length === 0;
}

function targetOf(service: Service): Target {
  const namespace = namespaceOf(service);
  return { resource: SERVICES, namespace, name: nameOf(service), subresource: "status" };
}

/** The UID makes the API server refuse each patch if the Service was recreated under the name. */
function patchOf(change: ClusterChange, service: Service, nowMs: number): Patch {
  const uid = uidOf(service);
  switch (change.kind) {
    case "service.finalizer.add":
      return {
        kind: "strategic",
        body: { metadata: { uid, finalizers: [FINALIZER], ...recordPart(change) } },
      };
    case "service.finalizer.remove": {
      const finalizers = { "$deleteFromPrimitiveList/finalizers": [FINALIZER] };
      return {
        kind: "strategic",
        body: { metadata: { uid, ...finalizers, ...recordPart(change) } },
      };
    }
    case "service.status.write":
      return statusPatch(change, service, nowMs);
    case "service.condition.write": {
      const { condition } = change.after;
      const entry =
        condition === null
          ? { type: READY_CONDITION, $patch: "delete" }
          : conditionEntry(service, condition, { reason: change.reason, nowMs });
      return { kind: "strategic", body: { metadata: { uid }, status: { conditions: [entry] } } };
    }
    case "service.hold":
      return annotationsPatch(service, holdAnnotations(change.after.hold.until, change.reason));
    case "service.release":
      return annotationsPatch(service, NO_HOLD_ANNOTATIONS);
  }
}

function recordPart({ after }: FinalizerWrite) {
  const { loadBalancerClass } = after;
  if (loadBalancerClass === undefined) return {};
  return { annotations: { [CLASS_ANNOTATION]: loadBalancerClass } };
}

/**
 * No version is given: nobody else writes the addresses of our class, and any edit of the Service would make the write
 * fail.
 */
function statusPatch({ after, reason }: StatusWrite, service: Service, nowMs: number): Patch {
  const { ingress, condition, annotations } = after;
  const metadata = {
    uid: uidOf(service),
    ...(annotations === undefined ? {} : { annotations }),
  };
  const status = { loadBalancer: { ingress } };
  if (condition === undefined) return { kind: "merge", body: { metadata, status } };
  // The conditions of others stay: this kind of patch merges by type.
  const conditions = [conditionEntry(service, condition, { reason, nowMs })];
  return { kind: "strategic", body: { metadata, status: { ...status, conditions } } };
}

function conditionEntry(
  service: Service,
  wanted: WantedReady,
  { reason, nowMs }: { readonly reason: Reason; readonly nowMs: number },
) {
  const now = new Date(nowMs).toISOString().replace(/\.\d+Z$/, "Z");
  const isTurned = conditionOf(service)?.status !== wanted.status;
  return {
    type: READY_CONDITION,
    ...wanted,
    message: conditionMessage(wanted, reason),
    ...(isTurned ? { lastTransitionTime: now } : {}),
  };
}

/**
 * The version makes the API server refuse it when somebody changed the Service meanwhile, for example to another
 * hold.
 */
function annotationsPatch(
  { metadata }: Service,
  annotations: Readonly<Record<string, string | null>>,
): Patch {
  const { uid, resourceVersion } = metadata ?? {};
  return { kind: "merge", body: { metadata: { uid, resourceVersion, annotations } } };
}
