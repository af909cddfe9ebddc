import { t, worded } from "@cloudwright/core/model/language/text";
import type { TimelineStep } from "@cloudwright/core/model/records/node-record";

/** The steps of a node's initialisation, and the route controller's step beside it. */
export const STEP_LABELS: Readonly<Record<TimelineStep["step"] | "route", string>> = worded({
  registered: () => t`Registered`,
  found: () => t`Found in cloud`,
  checked: () => t`Checks`,
  addresses: () => t`Addresses`,
  initialised: () => t`Labels, provider ID, taint`,
  route: () => t`Route`,
});
