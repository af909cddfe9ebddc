import type { CallPriority, InstanceRef, Lookup } from "./provider.ts";

/** Instance lookups as one run sees them; many runs' lookups share calls behind it. */
export interface InstanceLookups {
  lookup(ref: InstanceRef, options: LookupOptions): Promise<Lookup>;
}

export interface LookupOptions {
  /** How old a positive answer may be, milliseconds; 0 asks the cloud. Negative answers are never reused. */
  readonly maxAgeMs: number;
  /** `single` is one read of this instance alone, as the deletion rule demands. */
  readonly mode: "batch" | "single";
  readonly priority: CallPriority;
}
