import type { ControllerName } from "../controller-names.ts";
import { formatDecimal } from "../language/counts.ts";
import { formatDuration } from "../language/duration.ts";
import { t } from "../language/text.ts";
import { DURATION, RETENTION, type SettingKind, shortDuration } from "./setting-kinds.ts";

/** The weight of a change: no lasting effect, lost records, or more nodes that may be deleted. */
export type Weight = "plain" | "losesRecords" | "loosensGuard";

/** A flag of the controller whose value can also be changed at run time. It is identified by the flag's name. */
export interface Setting<Value> {
  /** The controller that has the setting: its actions are on this controller. */
  readonly controller: ControllerName;
  readonly part: "guard" | "periods" | "audit" | "retention";
  /** A name such as `Refresh of nodes`. */
  readonly label: string;
  /** One sentence. */
  readonly help: string;
  readonly kind: SettingKind<Value>;
  /** The accepted values: `1s to 24h`. */
  readonly takes: string;
  /**
   * Returns a further requirement that the value violates, as the end of a sentence: "must be …"; otherwise
   * undefined.
   */
  outOfBounds(value: Value): string | undefined;
  weight(value: Value, from: Value): Weight;
  /** Returns the consequences, one sentence each. */
  consequences(value: Value, from: Value): readonly string[];
}

/** The owner of settings that no loop reads: the leading process. */
export const LEADER: ControllerName = "cloudwright-controller";

export const SECOND_MS = 1_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export function within(
  ms: number,
  { least, most }: { readonly least: number; readonly most: number },
): string | undefined {
  if (ms >= least && ms <= most) return undefined;
  return t`must be a duration between ${shortDuration(least)} and ${shortDuration(most)}`;
}

/** Texts are evaluated when they are read. */
interface PeriodWords {
  readonly controller: ControllerName;
  label(): string;
  help(): string;
  /** A sentence about what is noticed later with a longer period. */
  later(upTo: string, insteadOf: string): string;
}

/** Flags accept less than a second for tests; here it is refused, as a typo must not flood a cloud with calls. */
export function period(words: PeriodWords): Setting<number> {
  return {
    controller: words.controller,
    part: "periods",
    get label() {
      return words.label();
    },
    get help() {
      return words.help();
    },
    kind: DURATION,
    get takes() {
      return t`1s to 24h, such as 30s or 1m30s`;
    },
    outOfBounds: (ms) => within(ms, { least: SECOND_MS, most: DAY_MS }),
    weight: () => "plain",
    consequences: (ms, from) => [
      ms < from
        ? t`It checks ${timesText(from / ms)} times as often, which costs calls to the cloud.`
        : words.later(formatDuration(ms), formatDuration(from)),
    ],
  };
}

function timesText(times: number): string {
  const rounded = times < 10 ? Math.round(times * 10) / 10 : Math.round(times);
  return formatDecimal(rounded);
}

interface RetentionWords {
  label(): string;
  help(): string;
  /** A sentence saying that anything older than this is deleted. */
  deletes(olderThan: string): string;
}

export function retention(words: RetentionWords): Setting<number> {
  return {
    controller: LEADER,
    part: "retention",
    get label() {
      return words.label();
    },
    get help() {
      return words.help();
    },
    kind: RETENTION,
    get takes() {
      return t`1d to ${MOST_KEPT_DAYS}d, such as 30d or 36h`;
    },
    outOfBounds: (ms) =>
      ms <= MOST_KEPT_DAYS * DAY_MS ? undefined : t`must be at most ${MOST_KEPT_DAYS}d`,
    weight: (ms, from) => (ms < from ? "losesRecords" : "plain"),
    consequences: (ms, from) => [
      ...(ms < from
        ? [
            words.deletes(formatDuration(ms)),
            t`The ledger is cleaned up once an hour. What is deleted cannot be brought back.`,
          ]
        : [t`Records that were already deleted are not restored.`]),
      t`One controller cleans up for all clusters that share the database, using its own cluster's value: set the same value on each of them.`,
    ],
  };
}

const MOST_KEPT_DAYS = 3_650;
