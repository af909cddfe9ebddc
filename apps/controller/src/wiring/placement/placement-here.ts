import { selectedControllers } from "../../flags/selection.ts";
import type { Foundation } from "../foundation.ts";
import { type Placement, placementOf } from "./placement.ts";

/** Which of the selected controllers run in this process. A dry run holds no second Lease. */
export function placementHere({
  flags,
  migration,
}: Pick<Foundation, "flags" | "migration">): Placement {
  return placementOf({
    selected: selectedControllers(flags),
    migration,
    hasSecondLease: !flags["dry-run"],
  });
}
