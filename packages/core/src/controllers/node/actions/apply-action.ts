import type { Node } from "../../../kube/client.ts";
import { holdAnnotations, NO_HOLD_ANNOTATIONS } from "../../hold/hold.ts";
import type { HoldWrite } from "../../hold/hold-changes.ts";
import type { PatchOperation } from "../../objects/json-patch.ts";
import type { OverrideEnd, OverrideWrite } from "../changes.ts";
import { memberOperations, taintOperations, uidTest } from "../patch-parts.ts";
import { OVERRIDE_ANNOTATION, overrideText } from "./override.ts";

/** Returns a merge patch. */
export function holdPatch({ after, reason }: HoldWrite<"node.hold">, node: Node): unknown {
  return annotationsPatch(node, holdAnnotations(after.hold.until, reason));
}

/** Returns a merge patch. */
export function releasePatch(node: Node): unknown {
  return annotationsPatch(node, NO_HOLD_ANNOTATIONS);
}

/** Makes one write, so that a taint is never removed without the record of who overrode it. */
export function overridePatch(
  { before, after, reason }: OverrideWrite,
  node: Node,
): readonly PatchOperation[] {
  const { by, why, intentId } = reason;
  const record = overrideText({ by, why, intentId, untilMs: after.until });
  return [
    uidTest(node),
    ...taintOperations(node, before.taints, after.taints),
    ...memberOperations(node, "annotations", { [OVERRIDE_ANNOTATION]: record }),
  ];
}

export function overrideEndPatch(
  { before, after }: OverrideEnd,
  node: Node,
): readonly PatchOperation[] {
  return [
    uidTest(node),
    ...taintOperations(node, before.taints, after.taints),
    ...memberOperations(node, "annotations", { [OVERRIDE_ANNOTATION]: null }),
  ];
}

/** The version makes the API server refuse it when somebody changed the node meanwhile, for example to another hold. */
function annotationsPatch(
  node: Node,
  annotations: Readonly<Record<string, string | null>>,
): unknown {
  const { uid, resourceVersion } = node.metadata ?? {};
  return { metadata: { uid, resourceVersion, annotations } };
}
