import { z } from "zod/mini";
import { objectRefSchema } from "./object-ref.ts";
import { reasonSchema } from "./reason.ts";
import { sha256Hex } from "./values/hash.ts";
import { canonicalJson, type Json, jsonSchema } from "./values/json.ts";

export const CHANGE_KINDS = [
  "node.addresses.write",
  "node.initialise",
  "node.labels.write",
  "node.shutdown-taint.add",
  "node.shutdown-taint.remove",
  "node.delete",
  "node.hold",
  "node.release",
  "node.override",
  "node.override-end",
  "service.finalizer.add",
  "service.finalizer.remove",
  "service.status.write",
  "service.condition.write",
  "service.hold",
  "service.release",
  "balancer.create",
  "balancer.adopt",
  "balancer.update",
  "balancer.members",
  "balancer.delete",
  "route.create",
  "route.delete",
  "node.network-condition.write",
  "node.pod-cidrs.write",
  "volume.hold",
  "volume.release",
  "volume.labels.write",
  "volume.grow",
  "volume.capacity.write",
  "claim.status.write",
  "controller.pause",
  "controller.resume",
  "guard.release",
  "setting.change",
] as const;
/** `namespace.labels.write`: of what, which part, what is done. Also a kind that only another release, or a controller of somebody's own, knows. */
export const changeKindSchema = z.string();
export type ChangeKind = z.infer<typeof changeKindSchema>;
export type KnownChange = (typeof CHANGE_KINDS)[number];

export const changeSchema = z.readonly(
  z.object({
    kind: changeKindSchema,
    system: z.enum(["cluster", "cloud"]),
    target: objectRefSchema,
    before: jsonSchema,
    after: jsonSchema,
    reason: reasonSchema,
  }),
);
/** One write that a plan asks for. `before` and `after` hold only the fields that it touches. */
export type Change = z.infer<typeof changeSchema>;

export const notTakenSchema = z.readonly(z.object({ step: z.string(), reason: reasonSchema }));
/** A step that was considered and left out, with why. Silence is a defect (EXAMPLES.md section 1, rule 4). */
export type NotTaken = z.infer<typeof notTakenSchema>;

export const nextSchema = z.discriminatedUnion("kind", [
  z.readonly(z.object({ kind: z.literal("settled"), reason: reasonSchema })),
  z.readonly(z.object({ kind: z.literal("waiting"), reason: reasonSchema, forMs: z.number() })),
  z.readonly(z.object({ kind: z.literal("blocked"), reason: reasonSchema })),
  z.readonly(z.object({ kind: z.literal("failed"), reason: reasonSchema })),
]);
/**
 * What holds once the changes are applied. *waiting* comes back by itself after `forMs`; *blocked* waits for the
 * object or a user; *failed* comes back with the queue's backoff.
 */
export type Next = z.infer<typeof nextSchema>;

/** The pure answer of a reconciler: what to write, what was left out and what comes then. */
export interface Plan<Typed extends Change = Change> {
  readonly changes: readonly Typed[];
  readonly notTaken: readonly NotTaken[];
  readonly next: Next;
  /** What the changes make will show what comes then: the run observes and plans once more when they are applied. */
  readonly again?: true;
}

/** The hash that a user confirms: equal for plans that would write the same, whatever their reasons say. */
export function planHash(plan: Plan): Promise<string> {
  const writes: Json = plan.changes.map(({ kind, target, before, after }) => ({
    kind,
    target: { ...target },
    before,
    after,
  }));
  return sha256Hex(canonicalJson(writes));
}

/** One hash for the plans of several loops, in their order; that of the one plan where there is only one. */
export function combinedPlanHash(hashes: readonly (string | undefined)[]): Promise<string> {
  const [only, ...others] = hashes;
  if (only !== undefined && others.length === 0) return Promise.resolve(only);
  return sha256Hex(canonicalJson(hashes.map((hash) => hash ?? null)));
}
