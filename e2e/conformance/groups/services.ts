import type { Group } from "../environment/scenario.ts";
import { WRONG_SERVICES } from "../service/bad-services.ts";
import { CLUSTER_NAME, SERVICE_CREATION } from "../service/creation.ts";
import { DRIFT, DRIFT_PERIOD_MS, SERVICE_OWNERSHIP, SLOW_CLOUD } from "../service/drift.ts";
import { SERVICE_EDITS } from "../service/edits.ts";
import { SERVICE_MEMBERS } from "../service/members.ts";
import { ALL_NODES, QUIET_NODES, SLOW_MEMBERS } from "../service/members-alone.ts";
import { SERVICE_REMOVAL } from "../service/removal.ts";
import { BACK_OFF, EVERYBODY_STRUCK, RETRY_AFTER } from "../service/retries.ts";
import { SERVICE_STATUS } from "../service/status.ts";

/** Section 3 runs with the service controller alone (spec/90 §0); every run appears in the log. */
const SERVICES = {
  flags: {
    "--controllers": "service-lb-controller",
    "--cluster-name": CLUSTER_NAME,
    "--v": "2",
  },
  relayed: true,
  ledger: true,
} as const;

/** Services and their load balancers. */
export const SERVICE_GROUPS: readonly Group[] = [
  {
    name: "services",
    ...SERVICES,
    scenarios: [
      ...SERVICE_CREATION,
      ...SERVICE_REMOVAL,
      ...SERVICE_EDITS,
      ...SERVICE_STATUS,
      ...SERVICE_OWNERSHIP,
    ],
  },
  {
    name: "members of load balancers",
    ...SERVICES,
    scenarios: [...SERVICE_MEMBERS, ...SLOW_MEMBERS],
  },
  { name: "quiet nodes", ...SERVICES, scenarios: QUIET_NODES },
  { name: "all nodes", ...SERVICES, atOnce: 1, scenarios: ALL_NODES },
  { name: "back-off of services", ...SERVICES, scenarios: BACK_OFF },
  { name: "retry after", ...SERVICES, atOnce: 1, scenarios: RETRY_AFTER },
  { name: "every service struck", ...SERVICES, atOnce: 1, scenarios: EVERYBODY_STRUCK },
  {
    name: "drift of load balancers",
    ...SERVICES,
    flags: { ...SERVICES.flags, "--load-balancer-drift-period": `${DRIFT_PERIOD_MS / 1_000}s` },
    scenarios: DRIFT,
  },
  { name: "slow load balancers", ...SERVICES, atOnce: 1, scenarios: SLOW_CLOUD },
  { name: "bad services", ...SERVICES, scenarios: WRONG_SERVICES },
];
