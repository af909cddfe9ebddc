import type { Lookup } from "@cloudwright/provider-api";

/** Upstream's counter `cloud_provider_calls_total` (spec/20 §5). */
export interface CallCounter {
  countCall(operation: CallOperation, result: CallResult): void;
}

export type CallOperation = "instance_exists" | "instance_shutdown" | "instance_metadata";
export type CallResult =
  | "success"
  | "error"
  | "instance_not_found"
  | "not_implemented"
  | "canceled";

/** Counts a lookup as the calls that upstream would have made: existence, and power only of what exists. */
export function countLookup(counter: CallCounter, lookup: Lookup): void {
  counter.countCall("instance_exists", resultOf(lookup));
  if (lookup.kind === "found") counter.countCall("instance_shutdown", "success");
}

function resultOf(lookup: Lookup): CallResult {
  switch (lookup.kind) {
    case "found":
    case "unclaimed":
    case "foreign":
    case "malformed":
      return "success";
    case "absent":
    case "notListed":
      return "instance_not_found";
    case "failed":
      return lookup.error.code === "Unsupported" ? "not_implemented" : "error";
  }
}
