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
/**
 * `namespace.labels.write`: the object, its part, the operation. May be a kind that only another release, or a third-party controller,
 * knows.
 */
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
/** One write in a plan. `before` and `after` contain only the fields that it touches. */
export type Change = z.infer<typeof changeSchema>;

export const notTakenSchema = z.readonly(z.object({ step: z.string(), reason: reasonSchema }));
/** A step that was considered and left out, with the reason. Silence is a defect (EXAMPLES.md section 1, rule 4). */
export type NotTaken = z.infer<typeof notTakenSchema>;

export const nextSchema = z.discriminatedUnion("kind", [
  z.readonly(z.object({ kind: z.literal("settled"), reason: reasonSchema })),
  z.readonly(z.object({ kind: z.literal("waiting"), reason: reasonSchema, forMs: z.number() })),
  z.readonly(z.object({ kind: z.literal("blocked"), reason: reasonSchema })),
  z.readonly(z.object({ kind: z.literal("failed"), reason: reasonSchema })),
]);
/**
 * The state after the changes are applied. *waiting* comes back by itself after `forMs`; *blocked* waits for the
 * object or a user; *failed* comes back with the queue's backoff.
 */
export type Next = z.infer<typeof nextSchema>;

/** The pure result of a reconciler: what to write, what was left out and what comes next. */
export interface Plan<Typed extends Change = Change> {
  readonly changes: readonly Typed[];
  readonly notTaken: readonly NotTaken[];
  readonly next: Next;
  /**
   * Set if the result of the changes decides what comes next: the run then observes and plans once more after
   * applying them.
   */
  readonly again?: true;
}

/** Returns the hash that a user confirms: equal for plans that would write the same, whatever their reasons. */
export function planHash(plan: Plan): Promise<string> {
  const writes: Json = plan.changes.map(({ kind, target, before, after }) => ({
    kind,
    target: { ...target },
    before,
    after,
  }));
  return sha256Hex(canonicalJson(writes));
}

/** Returns one hash for the plans of several loops, in their order; a single plan's hash is returned unchanged. */
export function combinedPlanHash(hashes: readonly (string | undefined)[]): Promise<string> {
  const [only, ...others] = hashes;
  if (only !== undefined && others.length === 0) return Promise.resolve(only);
  return sha256Hex(canonicalJson(hashes.map((hash) => hash ?? null)));
}
