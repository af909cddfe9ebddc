import type { InstanceRef, Lookup } from "@cloudwright/provider-api";
import type { CallPriority } from "../../model/call-priority.ts";

/** Instance lookups as one run sees them; many runs' lookups share calls behind it. */
export interface InstanceLookups {
  lookup(ref: InstanceRef, options: LookupOptions): Promise<Lookup>;
}

export interface LookupOptions {
  /** How old a positive answer may be, milliseconds; 0 asks the cloud. Negative answers are never reused. */
  readonly maxAgeMs: number;
  /**
   * The call that answers must have begun after this, monotonic milliseconds: what a Node is judged by was asked after that
   * Node was seen, as its name may have been another machine's before (DESIGN.md "Freshness").
   */
  readonly notBefore?: number;
  /** `single` is one read of this instance alone, as the deletion rule demands. */
  readonly mode: "batch" | "single";
  readonly priority: CallPriority;
}
