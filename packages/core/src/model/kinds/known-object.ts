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
 * What one controller last said of an object, without the facts that the object has as a whole. Several controllers report
 * on a Node, so there each part has its detail; elsewhere the object has it.
 */
export const storedPartSchema = z.extend(z.pick(objectStateSchema.def.innerType, PART_MEMBERS), {
  /** Of one that is held: what was wrong with it when the hold began. */
  underneath: z.optional(
    z.pick(objectStateSchema.def.innerType, { state: true, reason: true, since: true }),
  ),
});
export type StoredPart = Readonly<z.infer<typeof storedPartSchema>>;

export const storedPartsSchema = z.partialRecord(controllerNameSchema, storedPartSchema);
export type StoredParts = Readonly<z.infer<typeof storedPartsSchema>>;

/** What the controller that gives such a detail has last said of an object that several report on; undefined where none has. */
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

/** All that is known of one object now: what each of its controllers last said, and the newest facts. */
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
  /** Whether only dry runs have said so. */
  readonly dryRun: boolean;
}
