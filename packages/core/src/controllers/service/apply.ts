import {
  type KubeClient,
  type Patch,
  SERVICES,
  type Service,
  type Target,
} from "../../kube/client.ts";
import { isKubeError } from "../../kube/errors.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { holdAnnotations, NO_HOLD_ANNOTATIONS } from "../hold.ts";
import { nameOf, uidOf } from "../object-meta.ts";
import type { CloudWrite, ServiceChange } from "./changes.ts";
import { FINALIZER, namespaceOf } from "./service-object.ts";

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
    return await client.patch<Service>(targetOf(service), patchOf(change, service), run.kube);
  } catch (error) {
    if (isKubeError(error) && error.code === "NotFound" && isFarewell(change)) return undefined;
    throw error;
  }
}

/** A Service whose finalizer goes, or that is published nowhere any more, may go faster than we write. */
function isFarewell(change: ClusterChange): boolean {
  if (change.kind === "service.finalizer.remove") return true;
  return change.kind === "service.status.write" && change.after.ingress.length === 0;
}

function targetOf(service: Service): Target {
  const namespace = namespaceOf(service);
  return { resource: SERVICES, namespace, name: nameOf(service), subresource: "status" };
}

/** The UID refuses each on a Service that was made anew under the name. */
function patchOf(change: ClusterChange, service: Service): Patch {
  const uid = uidOf(service);
  switch (change.kind) {
    case "service.finalizer.add":
      return { kind: "strategic", body: { metadata: { uid, finalizers: [FINALIZER] } } };
    case "service.finalizer.remove": {
      const body = { metadata: { uid, "$deleteFromPrimitiveList/finalizers": [FINALIZER] } };
      return { kind: "strategic", body };
    }
    case "service.status.write": {
      // No version is named: nobody else writes our class's addresses, and any edit of the Service would refuse the write.
      const { ingress } = change.after;
      return { kind: "merge", body: { metadata: { uid }, status: { loadBalancer: { ingress } } } };
    }
    case "service.hold":
      return annotationsPatch(service, holdAnnotations(change.after.hold.until, change.reason));
    case "service.release":
      return annotationsPatch(service, NO_HOLD_ANNOTATIONS);
  }
}

/** The version refuses it when somebody changed the Service meanwhile: another hold than the one that was seen. */
function annotationsPatch(
  { metadata }: Service,
  annotations: Readonly<Record<string, string | null>>,
): Patch {
  const { uid, resourceVersion } = metadata ?? {};
  return { kind: "merge", body: { metadata: { uid, resourceVersion, annotations } } };
}
