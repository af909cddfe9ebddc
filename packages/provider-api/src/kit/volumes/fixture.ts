import type { Volumes } from "../../volumes.ts";
import type { EndlessCloud } from "../endless.ts";

/** A provider with its own cloud, without disks at first; one per case. Cases that need an absent optional member are skipped. */
export interface VolumesFixture extends EndlessCloud {
  /** The provider's name. */
  readonly provider: string;
  readonly volumes: Volumes;
  /** Creates a disk; returns its id. */
  createVolume(volume: NewVolume): Promise<string>;
  /** Returns the `spec` of a PersistentVolume for this disk. */
  specOf(id: string): Readonly<Record<string, unknown>>;
  /** Returns the size of the disk, as a user sees it in the cloud's console. */
  sizeOf(id: string): Promise<number>;
  /** An id in the cloud's format that no disk has. */
  readonly unknownVolume: string;
  /** Makes reading this disk fail from now on, and no other. */
  breakVolume?(id: string): Promise<void>;
  /** Makes the next growth succeed and loses its answer. */
  loseNextAnswer?(): Promise<void>;
  /** Makes the cloud reject every call as too many, until the returned function undoes it. */
  throttle?(retryAfterMs: number): Promise<() => Promise<void>>;
  /** Makes every call fail, until the returned function undoes it. */
  breakCloud?(): Promise<() => Promise<void>>;
}

export interface NewVolume {
  readonly zone: string;
  readonly region: string;
  readonly sizeGiB: number;
}

/** The needs that a fixture may lack, and `grow`, which a provider may lack. */
export type VolumeNeed =
  | "breakVolume"
  | "loseNextAnswer"
  | "throttle"
  | "breakCloud"
  | "answerWithoutEnd"
  | "grow";
