import type { VolumeFacts, VolumeLookup } from "@cloudwright/provider-api";
import type { CallPriority } from "../../model/call-priority.ts";
import type { LookupRun } from "../calls/lookup-run.ts";

/** All looks at disks in this process: what many runs ask at the same time becomes few calls. */
export interface VolumeDirectory {
  /** The disks as one run sees them; every call made for it is reported to the run as a step. */
  for(run: LookupRun): CloudVolumes;
}

/** Disks as one run sees them. */
export interface CloudVolumes {
  /** Rejects only when the run's signal aborts. */
  describe(
    id: string,
    options: { readonly maxAgeMs: number; readonly priority: CallPriority },
  ): Promise<VolumeLookup>;
  /** Throws ProviderError; `Unsupported` when the provider's disks do not grow. */
  grow(id: string, sizeGiB: number, priority: CallPriority): Promise<VolumeFacts>;
}
