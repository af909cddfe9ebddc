import type { Volumes } from "../../volumes.ts";
import type { EndlessCloud } from "../endless.ts";

/** A provider on a cloud of its own without disks at first; one for each case. What is optional is skipped where it is absent. */
export interface VolumesFixture extends EndlessCloud {
  /** The provider's name. */
  readonly provider: string;
  readonly volumes: Volumes;
  /** Makes a disk; answers its id. */
  createVolume(volume: NewVolume): Promise<string>;
  /** The `spec` of a PersistentVolume that is this disk. */
  specOf(id: string): Readonly<Record<string, unknown>>;
  /** How large the disk is, as a user sees it in the cloud's console. */
  sizeOf(id: string): Promise<number>;
  /** The id of no disk, in the form that ids have. */
  readonly unknownVolume: string;
  /** Reading this disk fails from now on, and no other. */
  breakVolume?(id: string): Promise<void>;
  /** The disk grows, and the answer is lost, once. */
  loseNextAnswer?(): Promise<void>;
  /** Every call is refused as too many, until the answer undoes it. */
  throttle?(retryAfterMs: number): Promise<() => Promise<void>>;
  /** Every call fails, until the answer undoes it. */
  breakCloud?(): Promise<() => Promise<void>>;
}

export interface NewVolume {
  readonly zone: string;
  readonly region: string;
  readonly sizeGiB: number;
}

/** Those that a fixture may lack, and `grow` of a provider whose disks do not. */
export type VolumeNeed =
  | "breakVolume"
  | "loseNextAnswer"
  | "throttle"
  | "breakCloud"
  | "answerWithoutEnd"
  | "grow";
