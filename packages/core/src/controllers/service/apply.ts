import {
  type KubeClient,
  type Patch,
  SERVICES,
  type Service,
  type Target,
} from "../../kube/client.ts";
import { isKubeError } from "../../kube/errors.ts";
import type { Reason } from "../../model/reason.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { holdAnnotations, NO_HOLD_ANNOTATIONS } from "../hold/hold.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import type { CloudWrite, FinalizerWrite, ServiceChange, StatusWrite } from "./changes.ts";
import { conditionMessage } from "./condition.ts";
import {
  CLASS_ANNOTATION,
  conditionOf,
  FINALIZER,
  namespaceOf,
  READY_CONDITION,
  type WantedReady,
} from "./service-object.ts";

export type ClusterChange = Exclude<ServiceChange, CloudWrite>;

/**
 * Makes one write to the Service and answers with what came of it; undefined when the Service is gone and with it what
 * was to be taken back. Throws KubeError. All writes go through the status subresource, as upstream's do: its roles
 * allow nothing else (spec/00 §15).
 */
export async function applyToService(
  client: Pick<KubeClient, "patch">,
  { change, service }: { readonly change: ClusterChange; readonly service: Service },
  run: RunContext,
): Promise<Service | undefined> {
  try {
    const patch = patchOf(change, service, run.nowMs);
    return await client.patch<Service>(targetOf(service), patch, run.kube);
  } catch (error) {
    if (isKubeError(error) && error.code === "NotFound" && isFarewell(change)) return undefined;
    throw error;
  }
}

/** A Service whose finalizer goes, or that is published nowhere any more, may go faster than we write; nobody is left to tell. */
function isFarewell(change: ClusterChange): boolean {
  if (change.kind === "service.finalizer.remove") return true;
  if (change.kind === "service.condition.write") return true;
  return change.kind === "service.status.write" && change.after.ingress.length === 0;
}

function targetOf(service: Service): Target {
  const namespace = namespaceOf(service);
  return { resource: SERVICES, namespace, name: nameOf(service), subresource: "status" };
}

/** The UID refuses each on a Service that was made anew under the name. */
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

/** No version is named: nobody else writes our class's addresses, and any edit of the Service would refuse the write. */
function statusPatch({ after, reason }: StatusWrite, service: Service, nowMs: number): Patch {
  const { ingress, condition } = after;
  const metadata = { uid: uidOf(service) };
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

/** The version refuses it when somebody changed the Service meanwhile: another hold than the one that was seen. */
function annotationsPatch(
  { metadata }: Service,
  annotations: Readonly<Record<string, string | null>>,
): Patch {
  const { uid, resourceVersion } = metadata ?? {};
  return { kind: "merge", body: { metadata: { uid, resourceVersion, annotations } } };
}
