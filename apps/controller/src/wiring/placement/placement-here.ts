import { selectedControllers } from "../../flags/selection.ts";
import type { ProcessContext } from "../process-context.ts";
import { type Placement, placementOf } from "./placement.ts";

/** Which of the selected controllers run in this process. A dry run holds no second Lease. */
export function placementHere({
  flags,
  migration,
}: Pick<ProcessContext, "flags" | "migration">): Placement {
  return placementOf({
    selected: selectedControllers(flags),
    migration,
    hasSecondLease: !flags["dry-run"],
  });
}
