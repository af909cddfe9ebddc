import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { FlagSetting } from "@cloudwright/core/model/records/settings-record";

/** What the runs of a controller came to lately. */
export interface ControllerActivity {
  readonly controller: ControllerName;
  /** Runs that began within the last hour. */
  readonly runs: number;
  /** Of them failed, timed out or blocked. */
  readonly failed: number;
  /** When the newest recorded run began, milliseconds since the epoch; undefined when none is kept. */
  readonly newestAt: number | undefined;
}

/** What one controller process was started with. */
export interface ProcessSettings {
  readonly identity: string;
  /** When it said so, milliseconds since the epoch. */
  readonly at: number;
  readonly leader: boolean;
  readonly dryRun: boolean;
  readonly flags: readonly FlagSetting[];
}
