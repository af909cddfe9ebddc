import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { FlagSetting } from "@cloudwright/core/model/records/settings-record";

/** A summary of a controller's recent runs. */
export interface ControllerActivity {
  readonly controller: ControllerName;
  /** Runs that began within the last hour. */
  readonly runs: number;
  /** Of these, the failed, timed-out and blocked ones. */
  readonly failed: number;
  /** When the newest recorded run began, milliseconds since the epoch; undefined when none is stored. */
  readonly newestAt: number | undefined;
}

/** The settings of one controller process. */
export interface ProcessSettings {
  readonly identity: string;
  /** When it reported them, milliseconds since the epoch. */
  readonly at: number;
  readonly leader: boolean;
  readonly dryRun: boolean;
  readonly flags: readonly FlagSetting[];
}
