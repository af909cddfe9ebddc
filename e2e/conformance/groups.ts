import type { Group } from "./environment/scenario.ts";
import { LONGEST_GROUPS } from "./groups/longest.ts";
import { NODE_GROUPS } from "./groups/nodes.ts";
import { PROCESS_GROUPS } from "./groups/process.ts";
import { ROUTE_GROUPS } from "./groups/routes.ts";
import { SERVICE_GROUPS } from "./groups/services.ts";
import { VOLUME_GROUPS } from "./groups/volumes.ts";

/** Two of these never run at once on one cluster, since each controller would act on every node in it. The longest come first. */
export const GROUPS: readonly Group[] = [
  ...LONGEST_GROUPS,
  ...NODE_GROUPS,
  ...PROCESS_GROUPS,
  ...SERVICE_GROUPS,
  ...ROUTE_GROUPS,
  ...VOLUME_GROUPS,
];
