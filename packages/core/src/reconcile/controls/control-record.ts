import { z } from "zod";
import {
  guardedNodeSchema,
  guardReleaseSchema,
  type Pause,
  pauseSchema,
} from "../../model/controls.ts";
import { type OrphanSighting, orphanSightingSchema } from "../orphan-sightings.ts";
import { EMPTY_GUARD, type GuardRecord } from "./guard-record.ts";

/** What must hold even without a database and over a fail-over (DESIGN.md "Who owns which truth"). */
export interface ControlRecord {
  readonly pauses: readonly Pause[];
  readonly guard: GuardRecord;
  readonly orphans: readonly OrphanSighting[];
  /** Opaque here; whoever keeps the audit chain knows its form. */
  readonly checkpoint: string | undefined;
}

export const EMPTY_RECORD: ControlRecord = {
  pauses: [],
  guard: EMPTY_GUARD,
  orphans: [],
  checkpoint: undefined,
};

export type RecordData = Readonly<Record<string, string>>;

export interface ParsedRecord {
  readonly record: ControlRecord;
  /** One sentence for each key whose content cannot be read; it counts as absent. */
  readonly problems: readonly string[];
}

export function parseRecord(data: RecordData): ParsedRecord {
  const problems: string[] = [];
  const read = <T>(key: string, schema: z.ZodType<T>, absent: T): T => {
    const text = data[key];
    if (text === undefined) return absent;
    const parsed = schema.safeParse(jsonOf(text));
    if (parsed.success) return parsed.data;
    problems.push(
      `The content of ${key} cannot be read (${z.prettifyError(parsed.error).replaceAll("\n", " ")}) and counts as absent; correct or remove it.`,
    );
    return absent;
  };
  const record = {
    pauses: read(KEYS.pauses, z.array(pauseSchema), []),
    guard: read(KEYS.guard, guardSchema, EMPTY_GUARD),
    orphans: read(KEYS.orphans, z.array(orphanSightingSchema), []),
    checkpoint: data[KEYS.checkpoint],
  };
  return { record, problems };
}

/** The data with what differs between the two records; keys that we do not know or that did not change stay as they are. */
export function writeRecord(
  data: RecordData,
  before: ControlRecord,
  after: ControlRecord,
): RecordData {
  const changed: Record<string, string> = {};
  if (after.pauses !== before.pauses) changed[KEYS.pauses] = JSON.stringify(after.pauses);
  if (after.guard !== before.guard) changed[KEYS.guard] = JSON.stringify(kept(after.guard));
  if (after.orphans !== before.orphans) {
    changed[KEYS.orphans] = JSON.stringify(longestStanding(after.orphans));
  }
  if (after.checkpoint !== undefined && after.checkpoint !== before.checkpoint) {
    changed[KEYS.checkpoint] = after.checkpoint;
  }
  return { ...data, ...changed };
}

const KEYS = {
  pauses: "pauses",
  guard: "deletion-guard",
  orphans: "orphaned-load-balancers",
  checkpoint: "audit-checkpoint",
} as const;

/** A ConfigMap takes 1 MiB. Who is left out is found anew when its node, or the cloud, is looked at. */
const MOST_HELD_KEPT = 1_000;
const MOST_ORPHANS_KEPT = 1_000;
const LONGEST_BECAUSE = 300;

const guardSchema = z.object({
  window: z
    .object({ startedAt: z.number(), nodes: z.number(), taken: z.array(z.string()) })
    .optional(),
  held: z
    .array(
      z.object({ ...guardedNodeSchema.unwrap().shape, since: z.number(), because: z.string() }),
    )
    .default([]),
  releases: z.array(guardReleaseSchema).default([]),
});

function kept(guard: GuardRecord): GuardRecord {
  const held = guard.held
    .slice(0, MOST_HELD_KEPT)
    .map((node) => ({ ...node, because: node.because.slice(0, LONGEST_BECAUSE) }));
  return { ...guard, held };
}

function longestStanding(orphans: readonly OrphanSighting[]): readonly OrphanSighting[] {
  return orphans.toSorted((one, other) => one.since - other.since).slice(0, MOST_ORPHANS_KEPT);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
