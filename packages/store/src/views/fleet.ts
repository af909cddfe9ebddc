import type { FlagSetting } from "@cloudwright/core/model/records/settings-record";
import type { Found } from "./find.ts";
import type { Problem, ProblemMember } from "./overview.ts";

/* What is asked of all clusters at once that a user may see. Times are milliseconds since the epoch. */

/** What a text means in one cluster. */
export interface FoundInCluster {
  readonly cluster: string;
  readonly name: string;
  readonly found: Found;
}

/** Clusters in which a text means anything, by name. */
export interface FoundInFleet {
  readonly clusters: readonly FoundInCluster[];
  /** How many were searched. */
  readonly searched: number;
}

/** Objects of two clusters or more that need a user for the same reason. */
export interface SharedCause extends Pick<Problem, "kind" | "code" | "count" | "since"> {
  /** Identifies it among the others. */
  readonly id: string;
  /** Those with the most objects first. */
  readonly clusters: readonly CauseInCluster[];
}

export interface CauseInCluster {
  readonly cluster: string;
  readonly name: string;
  readonly count: number;
  readonly since: number;
  /** How many of each kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** The oldest ones, at most `CAUSE_MEMBERS_MOST`. */
  readonly members: readonly CauseMember[];
}

export const CAUSE_MEMBERS_MOST = 5;

export interface CauseMember extends Pick<ProblemMember, "name" | "uid" | "reason" | "since"> {
  readonly kind: string;
}

/** Versions and flags of all clusters, where they are not the same. */
export interface FleetSettings {
  /** By name. */
  readonly clusters: readonly ClusterProcess[];
  /** Flags that are not the same in all clusters that have reported theirs, in the order of the flags' page. */
  readonly differing: readonly FleetFlag[];
  /** How many flags are the same in all of them. */
  readonly same: number;
}

export interface ClusterProcess {
  readonly cluster: string;
  readonly name: string;
  readonly provider: string;
  /** Of the processes that act and were heard within an hour of the newest one, the leader's first, each once. */
  readonly versions: readonly string[];
  /** Whose flags are compared; undefined where none has reported its flags within that hour. */
  readonly process: { readonly identity: string; readonly leader: boolean } | undefined;
}

export interface FleetFlag extends Pick<FlagSetting, "name" | "section" | "initial" | "help"> {
  /** What most clusters run with first. */
  readonly values: readonly FlagInClusters[];
}

export interface FlagInClusters {
  /** Undefined where the version does not know the flag. */
  readonly value: string | undefined;
  /** Their ids. */
  readonly clusters: readonly string[];
}
