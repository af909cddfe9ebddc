import type { Group } from "../environment/scenario.ts";
import { WRONG_FACTS } from "../node/bad-facts.ts";
import { WRONG_MOMENTS } from "../node/bad-moments.ts";
import {
  NO_WORKERS,
  NODE_BEYOND_UPSTREAM,
  REFUSED_ADDRESSES,
  THROTTLED,
} from "../node/beyond-upstream.ts";
import { NODE_IDENTITIES } from "../node/identity.ts";
import { NODE_INITIALISATION } from "../node/initialisation.ts";
import { NODE_INITIALISATION_DISTURBED } from "../node/initialisation-disturbed.ts";
import { NODE_RETRIES } from "../node/retries.ts";
import {
  BATCHED_REFRESH,
  CONCURRENT_INITIALISATION,
  CONCURRENT_REFRESH,
  REFRESH_PERIOD_MS,
} from "../node/scale.ts";
import { NODE_ADDRESSES, NODE_UPKEEP } from "../node/upkeep.ts";
import { NODE_DELETION } from "../node-lifecycle/deletion.ts";
import { DELETION_GUARD } from "../node-lifecycle/deletion-guard.ts";
import {
  CONCURRENT_LIFECYCLE,
  LIFECYCLE_METRICS,
  LIFECYCLE_OFF,
  NO_LIFECYCLE_WORKERS,
  NODE_SHUTDOWN,
  QUIET_WHEN_UNREADY,
} from "../node-lifecycle/lifecycle.ts";
import { WRONG_COMMAND_LINES } from "../process/command-lines.ts";

/** Run on one controller with its default flags. */
const SHARED = [
  ...NODE_INITIALISATION,
  ...NODE_INITIALISATION_DISTURBED,
  ...NODE_ADDRESSES,
  ...NODE_UPKEEP,
  ...NODE_BEYOND_UPSTREAM,
  ...NODE_DELETION,
  ...NODE_SHUTDOWN,
  LIFECYCLE_METRICS,
];

/** Their reads hang or are late, and delay those that were batched with them, so they are separate from rows about speed. */
const SLOW_READS: ReadonlySet<string> = new Set(["N-38", "L-29"]);

/** Nodes: how they are initialised, kept up to date, and deleted. */
export const NODE_GROUPS: readonly Group[] = [
  {
    name: "default flags",
    flags: {},
    ledger: true,
    scenarios: SHARED.filter(({ id }) => !SLOW_READS.has(id)),
  },
  {
    name: "slow reads",
    flags: {},
    scenarios: SHARED.filter(({ id }) => SLOW_READS.has(id)),
  },
  {
    name: "rare refresh",
    flags: { "--node-status-update-frequency": "5m" },
    scenarios: [REFUSED_ADDRESSES, THROTTLED],
  },
  {
    name: "ten workers",
    flags: { "--concurrent-node-syncs": "10", "--kube-api-qps": "300", "--kube-api-burst": "300" },
    scenarios: [CONCURRENT_INITIALISATION],
  },
  {
    name: "parallel refresh",
    flags: { "--concurrent-node-syncs": "1", "--concurrent-node-status-updates": "10" },
    scenarios: [CONCURRENT_REFRESH],
  },
  {
    name: "parallel lifecycle",
    flags: { "--concurrent-node-lifecycle-syncs": "10" },
    scenarios: [CONCURRENT_LIFECYCLE],
  },
  {
    name: "without lifecycle",
    flags: { "--controllers": "*,-cloud-node-lifecycle" },
    scenarios: [LIFECYCLE_OFF],
  },
  {
    name: "many unready",
    flags: { "--node-status-update-frequency": "5m" },
    scenarios: [QUIET_WHEN_UNREADY],
  },
  {
    name: "a thousand nodes",
    flags: { "--node-status-update-frequency": `${REFRESH_PERIOD_MS / 1_000}s` },
    scenarios: [BATCHED_REFRESH],
  },
  {
    name: "refused flags",
    flags: {},
    ownControllers: true,
    scenarios: [NO_WORKERS, NO_LIFECYCLE_WORKERS],
  },
  {
    name: "deletion guard",
    flags: {},
    ownControllers: true,
    ledger: true,
    scenarios: [DELETION_GUARD],
  },
  {
    // One at a time: each of them works on every node in the cluster.
    name: "retries of nodes",
    flags: {},
    ownControllers: true,
    atOnce: 1,
    scenarios: NODE_RETRIES,
  },
  {
    // One at a time: nodes that register together share a read, and two rows cannot both hold its answer.
    name: "identities of nodes",
    flags: {},
    atOnce: 1,
    relayed: true,
    ledger: true,
    scenarios: NODE_IDENTITIES,
  },
  {
    name: "bad input",
    flags: {},
    ledger: true,
    scenarios: [...WRONG_FACTS, ...WRONG_MOMENTS, ...WRONG_COMMAND_LINES],
  },
];
