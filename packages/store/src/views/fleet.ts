import type { FlagSetting } from "@cloudwright/core/model/records/settings-record";
import type { Found } from "./find.ts";
import type { Problem, ProblemMember } from "./overview.ts";

/* The views of all clusters that a user may see. Times are milliseconds since the epoch. */

/** What a text means in one cluster. */
export interface FoundInCluster {
  readonly cluster: string;
  readonly name: string;
  readonly found: Found;
}

/** Clusters in which the text has a meaning, by name. */
export interface FoundInFleet {
  readonly clusters: readonly FoundInCluster[];
  /** How many were searched. */
  readonly searched: number;
}

/** Objects of two or more clusters that need a user for the same reason. */
export interface SharedCause extends Pick<Problem, "kind" | "code" | "count" | "since"> {
  /** Identifies the cause among the others. */
  readonly id: string;
  /** The clusters with the most objects first. */
  readonly clusters: readonly CauseInCluster[];
}

export interface CauseInCluster {
  readonly cluster: string;
  readonly name: string;
  readonly count: number;
  readonly since: number;
  /** The number of objects of each kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** The oldest ones, at most `CAUSE_MEMBERS_MOST`. */
  readonly members: readonly CauseMember[];
}

export const CAUSE_MEMBERS_MOST = 5;

export interface CauseMember extends Pick<ProblemMember, "name" | "uid" | "reason" | "since"> {
  readonly kind: string;
}

/** Versions and flags of all clusters, where they differ. */
export interface FleetSettings {
  /** By name. */
  readonly clusters: readonly ClusterProcess[];
  /** Flags that differ between the clusters that have reported theirs, in the order of the flags' page. */
  readonly differing: readonly FleetFlag[];
  /** How many flags are equal in all of them. */
  readonly same: number;
}

export interface ClusterProcess {
  readonly cluster: string;
  readonly name: string;
  readonly provider: string;
  /** The versions of the acting processes with a heartbeat within an hour of the newest one, the leader's first, without repetition. */
  readonly versions: readonly string[];
  /** The process whose flags are compared; undefined when none has reported its flags within that hour. */
  readonly process: { readonly identity: string; readonly leader: boolean } | undefined;
}

export interface FleetFlag extends Pick<FlagSetting, "name" | "section" | "initial" | "help"> {
  /** The most common value first. */
  readonly values: readonly FlagInClusters[];
}

export interface FlagInClusters {
  /** Undefined when the version does not know the flag. */
  readonly value: string | undefined;
  /** Their ids. */
  readonly clusters: readonly string[];
}
