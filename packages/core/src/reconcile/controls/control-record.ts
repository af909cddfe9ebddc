import { z } from "zod";
import {
  guardedNodeSchema,
  guardReleaseSchema,
  type Pause,
  pauseSchema,
  settingOverrideSchema,
} from "../../model/controls.ts";
import { isSettingName } from "../../model/settings/setting-names.ts";
import { problemOfValue } from "../../model/settings/settings.ts";
import { EMPTY_GUARD, type GuardRecord } from "./guard-record.ts";
import type { SettingsRecord } from "./settings-record.ts";

/** What must hold even without a database and across a failover (DESIGN.md "Who owns which truth"). */
export interface ControlRecord {
  readonly pauses: readonly Pause[];
  readonly guard: GuardRecord;
  /** The settings that users have changed at run time. */
  readonly settings: SettingsRecord;
  /** All other keys: their values are opaque here, and understood by the code that keeps them. */
  readonly texts: RecordData;
}

export const EMPTY_RECORD: ControlRecord = {
  pauses: [],
  guard: EMPTY_GUARD,
  settings: [],
  texts: {},
};

export type RecordData = Readonly<Record<string, string>>;

export interface ParsedRecord {
  readonly record: ControlRecord;
  /** One sentence for each key whose content cannot be read; such content counts as absent. */
  readonly problems: readonly string[];
}

export function parseRecord(data: RecordData): ParsedRecord {
  const problems: string[] = [];
  const onProblem = (sentence: string) => void problems.push(sentence);
  const { [KEYS.pauses]: pauses, [KEYS.guard]: guard, [KEYS.settings]: settings, ...texts } = data;
  const record = {
    pauses: readKept(
      { key: KEYS.pauses, text: pauses },
      { schema: z.array(pauseSchema), absent: [], onProblem },
    ),
    guard: readKept(
      { key: KEYS.guard, text: guard },
      { schema: guardSchema, absent: EMPTY_GUARD, onProblem },
    ),
    settings: readSettings(settings, onProblem),
    texts,
  };
  return { record, problems };
}

/** An invalid entry stays in the record but does not count: a newer release may understand it. */
function readSettings(
  text: string | undefined,
  onProblem: (sentence: string) => void,
): SettingsRecord {
  const settings = readKept(
    { key: KEYS.settings, text },
    { schema: z.array(settingOverrideSchema), absent: [], onProblem },
  );
  for (const { setting, value } of settings) {
    const problem = isSettingName(setting) ? problemOfValue(setting, value) : undefined;
    if (problem !== undefined) {
      onProblem(`The content of ${KEYS.settings} is ignored: ${problem} Correct or remove it.`);
    }
  }
  return settings;
}

/** Returns the content of a key. Unreadable content is ignored and reported in one sentence. */
export function readKept<Content>(
  { key, text }: { readonly key: string; readonly text: string | undefined },
  as: {
    readonly schema: z.core.$ZodType<Content>;
    readonly absent: Content;
    onProblem(sentence: string): void;
  },
): Content {
  if (text === undefined) return as.absent;
  const parsed = z.safeParse(as.schema, jsonOf(text));
  if (parsed.success) return parsed.data;
  as.onProblem(
    `The content of ${key} cannot be read (${z.prettifyError(parsed.error).replaceAll("\n", " ")}) and is ignored; correct or remove it.`,
  );
  return as.absent;
}

/** Returns the data, updated where the two records differ; unknown and unchanged keys stay as they are. */
export function writeRecord(
  data: RecordData,
  before: ControlRecord,
  after: ControlRecord,
): RecordData {
  const changed: Record<string, string> = {};
  if (after.pauses !== before.pauses) changed[KEYS.pauses] = JSON.stringify(after.pauses);
  if (after.guard !== before.guard) changed[KEYS.guard] = JSON.stringify(kept(after.guard));
  if (after.settings !== before.settings) changed[KEYS.settings] = JSON.stringify(after.settings);
  return { ...data, ...changed, ...changedTexts(after, before) };
}

const KEYS = {
  pauses: "pauses",
  guard: "deletion-guard",
  settings: "settings",
} as const;

/** A ConfigMap holds at most 1 MiB. A node that is left out is noted again in its next run. */
const MOST_HELD_KEPT = 1_000;
const LONGEST_BECAUSE = 300;

const guardSchema = z.object({
  window: z
    .object({ startedAt: z.number(), nodes: z.number(), taken: z.array(z.string()) })
    .optional(),
  held: z
    .array(
      z.object({
        ...guardedNodeSchema.def.innerType.shape,
        since: z.number(),
        because: z.string(),
      }),
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

/** Returns the texts that differ from those of an earlier record. */
export function changedTexts(
  { texts }: Pick<ControlRecord, "texts">,
  before: Pick<ControlRecord, "texts">,
): RecordData {
  return Object.fromEntries(
    Object.entries(texts).filter(([key, text]) => text !== before.texts[key]),
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
