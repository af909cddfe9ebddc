import { z } from "zod";
import type { Node } from "../../../kube/client.ts";
import type { ReasonOf } from "../../../model/reason.ts";
import { isUninitialised, type Taint, UNINITIALIZED_TAINT } from "../../objects/node-object.ts";
import { annotationOf } from "../../objects/object-meta.ts";

/**
 * Records that an admin overrode the node's taint before it was initialised: JSON of who, why, until when and by which intent. It is never
 * read as permission to remove a taint; finishing the node and putting the taint back need no permission.
 */
export const OVERRIDE_ANNOTATION = "cloudwright.io/override";

export interface Override {
  readonly by: string;
  readonly why: string;
  /** When the taint comes back if the node is still unfinished, in milliseconds since the epoch. */
  readonly untilMs: number;
  readonly intentId: string;
}

/** The taint of the kubelet's own registration (spec/10 §1). */
const TAINT: Taint = { key: UNINITIALIZED_TAINT, value: "true", effect: "NoSchedule" };

const schema = z.object({
  by: z.string(),
  why: z.string(),
  until: z.iso.datetime({ offset: true }),
  intent: z.string(),
});

/** Returns the override that a node records; undefined if there is none that can be read. */
export function overrideOf(node: Node): Override | undefined {
  const parsed = schema.safeParse(jsonOf(annotationOf(node, OVERRIDE_ANNOTATION)));
  if (!parsed.success) return undefined;
  const { by, why, until, intent } = parsed.data;
  return { by, why, untilMs: Date.parse(until), intentId: intent };
}

export function overrideText({ by, why, untilMs, intentId }: Override): string {
  return JSON.stringify({ by, why, until: new Date(untilMs).toISOString(), intent: intentId });
}

/** Returns the override that is in effect on a node; undefined once the node carries the taint again. */
export function overriddenBy(node: Node): Override | undefined {
  return isUninitialised(node) ? undefined : overrideOf(node);
}

/** Reports whether the node still has to be initialised, with the taint or after an override of it. */
export function isUnfinished(node: Node): boolean {
  return isUninitialised(node) || overrideOf(node) !== undefined;
}

export function withUninitializedTaint(taints: readonly Taint[]): readonly Taint[] {
  return [...withoutUninitializedTaint(taints), TAINT];
}

export function hasUninitializedTaint(taints: readonly Taint[]): boolean {
  return taints.some(({ key }) => key === UNINITIALIZED_TAINT);
}

/** Only the key counts, whatever the value and effect (spec/10 §1). */
export function withoutUninitializedTaint(taints: readonly Taint[]): readonly Taint[] {
  return taints.filter(({ key }) => key !== UNINITIALIZED_TAINT);
}

export function unfinishedOverride({ by, why, untilMs }: Override): ReasonOf<"FreedUnfinished"> {
  return { code: "FreedUnfinished", by, why, untilMs };
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
