import { z } from "zod";
import { CONTROLLER_NAMES } from "./controller-names.ts";

/** The longest that a hold or an override may last (UX.md section 10). */
export const LONGEST_HOLD_MS = 7 * 86_400_000;
/** The longest that a controller may be paused. */
export const LONGEST_PAUSE_MS = 7 * 86_400_000;
/** What a dialog offers first. */
export const USUAL_LENGTH_MS = {
  hold: 3_600_000,
  override: 4 * 3_600_000,
  pause: 30 * 60_000,
} as const;
/** How long an admin's release lets the named nodes through the deletion guard. */
export const GUARD_RELEASE_MS = 600_000;

/** Milliseconds since the epoch. Absolute, so that a preview and what is done afterwards are the same plan. */
const until = z.number().int().positive();

export const wishSchema = z.discriminatedUnion("kind", [
  z
    .object({
      kind: z.literal("retry"),
      /** Whose loops are to do the object again, in this order. Absent: the loop of the controller that the intent names. */
      controllers: z
        .array(z.enum(CONTROLLER_NAMES))
        .min(1)
        .max(CONTROLLER_NAMES.length)
        .readonly()
        .optional(),
    })
    .readonly(),
  z.object({ kind: z.literal("hold"), until }).readonly(),
  z.object({ kind: z.literal("release") }).readonly(),
  /** Frees a node unfinished; the taint comes back at `until` if it is still not initialised then. */
  z.object({ kind: z.literal("override"), until }).readonly(),
  z.object({ kind: z.literal("pause"), until }).readonly(),
  z.object({ kind: z.literal("resume") }).readonly(),
  /** Lets these nodes, and no others, be deleted beyond the guard's limit. */
  z
    .object({
      kind: z.literal("release-guard"),
      nodes: z
        .array(z.object({ name: z.string(), uid: z.string() }).readonly())
        .min(1)
        .max(10_000)
        .readonly(),
    })
    .readonly(),
  /** Writes everything of a balancer again, also what is as it should be. */
  z.object({ kind: z.literal("reensure") }).readonly(),
  /** Makes a load balancer without an owner ours, for this Service; or a route, for this Node. */
  z
    .object({
      kind: z.literal("adopt"),
      balancer: z.string().min(1).max(200).optional(),
      route: z.string().min(1).max(200).optional(),
    })
    .readonly(),
  /** Deletes a balancer of this cluster that has no Service any more. */
  z.object({ kind: z.literal("remove-orphan"), balancer: z.string().min(1).max(200) }).readonly(),
]);
/** What a person wants done (UX.md section 10). A preview names the wish whose plan it asks for. */
export type Wish = z.infer<typeof wishSchema>;
export type WishKind = Wish["kind"];
export type WishOf<Kind extends WishKind> = Extract<Wish, { kind: Kind }>;

/** Wishes about one object; they are carried out by a run of that object's loop. */
export type ObjectWish = WishOf<
  "retry" | "hold" | "release" | "override" | "reensure" | "adopt" | "remove-orphan"
>;
/** Wishes about a controller or the deletion guard; they are carried out on the control record. */
export type ControlWish = Exclude<Wish, ObjectWish>;

export function isControlWish(wish: Wish): wish is ControlWish {
  return wish.kind === "pause" || wish.kind === "resume" || wish.kind === "release-guard";
}

/** A wish with who asked for it, as the run that carries it out gets it. */
export interface Asked<Kind extends Wish = Wish> {
  readonly wish: Kind;
  readonly intentId: string;
  /** The person's name. */
  readonly by: string;
  readonly why: string;
}
