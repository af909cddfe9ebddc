import { z } from "zod/mini";
import { type ObjectState, objectStateSchema } from "../records/node-record.ts";
import { controllerNameSchema } from "../run.ts";

const PART_MEMBERS = {
  controller: true,
  at: true,
  state: true,
  reason: true,
  since: true,
  nextAt: true,
  failures: true,
  drift: true,
  runId: true,
  outcome: true,
  detail: true,
} as const;

/**
 * What one controller last reported about an object, without the facts about the object as a whole. Several controllers
 * report on a Node, so each part has a detail there; for other kinds the object has it.
 */
export const storedPartSchema = z.extend(z.pick(objectStateSchema.def.innerType, PART_MEMBERS), {
  /** For a held object: what was wrong with it when the hold began. */
  underneath: z.optional(
    z.pick(objectStateSchema.def.innerType, { state: true, reason: true, since: true }),
  ),
});
export type StoredPart = Readonly<z.infer<typeof storedPartSchema>>;

export const storedPartsSchema = z.partialRecord(controllerNameSchema, storedPartSchema);
export type StoredParts = Readonly<z.infer<typeof storedPartsSchema>>;

/**
 * Returns the last report of the controller that provides such a detail, for an object on which several report; undefined if
 * there is none.
 */
export function detailOf<Detail>(
  parts: StoredParts,
  schema: z.ZodMiniType<Detail>,
): Detail | undefined {
  for (const part of Object.values(parts)) {
    const read = schema.safeParse(part?.detail);
    if (read.success) return read.data;
  }
  return undefined;
}

/** Everything that is known of one object now: what each of its controllers last reported, and the newest facts. */
export interface KnownObject
  extends Pick<
    ObjectState,
    | "cluster"
    | "name"
    | "uid"
    | "node"
    | "cloud"
    | "wanted"
    | "timeline"
    | "initialisedAt"
    | "createdAt"
    | "detail"
  > {
  readonly kind: string;
  readonly parts: StoredParts;
  /** Whether only dry runs have reported it. */
  readonly dryRun: boolean;
}
