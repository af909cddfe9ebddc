import type { Group } from "./environment/scenario.ts";
import { AUDIT_TRAIL } from "./ledger/audit-trail.ts";
import { BACKUP } from "./ledger/backup.ts";
import { BLAMELESS_CLOUD } from "./ledger/blameless-cloud.ts";
import { DASHBOARD } from "./ledger/dashboard.ts";
import { LEDGER } from "./ledger/records.ts";
import { TRUTHFUL_STATES } from "./ledger/truthful-states.ts";
import { WRONG_FACTS } from "./node/bad-facts.ts";
import { WRONG_MOMENTS } from "./node/bad-moments.ts";
import {
  NO_WORKERS,
  NODE_BEYOND_UPSTREAM,
  REFUSED_ADDRESSES,
  THROTTLED,
} from "./node/beyond-upstream.ts";
import { INHERITED_IDENTITY, NODE_IDENTITIES } from "./node/identity.ts";
import { NODE_INITIALISATION } from "./node/initialisation.ts";
import { NODE_INITIALISATION_DISTURBED } from "./node/initialisation-disturbed.ts";
import { NODE_RETRIES } from "./node/retries.ts";
import {
  BATCHED_REFRESH,
  CONCURRENT_INITIALISATION,
  CONCURRENT_REFRESH,
  REFRESH_PERIOD_MS,
} from "./node/scale.ts";
import { NODE_ADDRESSES, NODE_UPKEEP } from "./node/upkeep.ts";
import { NODE_IPAM } from "./node-ipam/allocation.ts";
import { WRONG_POD_RANGES } from "./node-ipam/bad-pod-ranges.ts";
import { NODE_IPAM_FLAGS } from "./node-ipam/flags.ts";
import { NODE_DELETION } from "./node-lifecycle/deletion.ts";
import { DELETION_GUARD } from "./node-lifecycle/deletion-guard.ts";
import {
  CONCURRENT_LIFECYCLE,
  LIFECYCLE_METRICS,
  LIFECYCLE_OFF,
  NO_LIFECYCLE_WORKERS,
  NODE_SHUTDOWN,
  QUIET_WHEN_UNREADY,
} from "./node-lifecycle/lifecycle.ts";
import {
  API_SERVER,
  EVENTS_AT_THE_END,
  LATE_API_SERVER,
  SHUTDOWN_OF_LEADER,
} from "./process/api-server.ts";
import { COMMAND_LINES, WRONG_COMMAND_LINES } from "./process/command-lines.ts";
import { DROP_IN, SEED_MANIFEST } from "./process/drop-in.ts";
import { DRY_RUN } from "./process/dry-run.ts";
import { ELECTION } from "./process/election.ts";
import { ENDLESS_ANSWERS } from "./process/endless-answers.ts";
import { LEASE_RENEWAL } from "./process/lease-renewal.ts";
import { MIGRATION } from "./process/migration.ts";
import { FILES_OF_COMMANDS, REPORTED_BY_COMMANDS } from "./process/reported-by-commands.ts";
import { SELECTION } from "./process/selection.ts";
import { SERVING } from "./process/serving.ts";
import { SETTINGS_AT_RUN_TIME } from "./process/settings-at-run-time.ts";
import { LACKING_CLOUDS, REFUSED_STARTS } from "./process/starting.ts";
import { WATCHED_EVENTS } from "./process/watched-events.ts";
import { WRONG_ROUTES } from "./route/bad-routes.ts";
import { ROUTE_CREATION } from "./route/creation.ts";
import { ROUTE_FAULTS } from "./route/faults.ts";
import { ROUTE_FLAGS } from "./route/objects.ts";
import { ROUTE_STARTS, ROUTE_WATCH, SCRIPTED_ROUTES, WATCH_FLAGS } from "./route/starting.ts";
import { IDENTITIES } from "./security/identity-rights.ts";
import {
  DOCUMENTED_PERMISSIONS,
  SHIPPED_PERMISSIONS,
  TAKEN_RIGHTS,
  TAKEN_RIGHTS_ALONE,
  TAKEN_RIGHTS_OVER_VOLUMES,
} from "./security/permissions.ts";
import { WRONG_SERVICES } from "./service/bad-services.ts";
import { CLUSTER_NAME, SERVICE_CREATION } from "./service/creation.ts";
import { DRIFT, DRIFT_PERIOD_MS, SERVICE_OWNERSHIP, SLOW_CLOUD } from "./service/drift.ts";
import { SERVICE_EDITS } from "./service/edits.ts";
import { SERVICE_MEMBERS } from "./service/members.ts";
import { ALL_NODES, QUIET_NODES, SLOW_MEMBERS } from "./service/members-alone.ts";
import { SERVICE_REMOVAL } from "./service/removal.ts";
import { SERVICE_RESTARTS } from "./service/restarts.ts";
import { BACK_OFF, EVERYBODY_STRUCK, RETRY_ACTION, RETRY_AFTER } from "./service/retries.ts";
import { SCRIPTED_LOAD_BALANCERS } from "./service/scripted.ts";
import { SERVICE_STATUS } from "./service/status.ts";
import { TAKEOVER_BY_CONSENT, TAKEOVER_OF_MANY } from "./takeover/consent.ts";
import { TAKEOVER_FROM_UPSTREAM } from "./takeover/from-upstream.ts";
import { TAKEOVER_OF_ROUTES } from "./takeover/routes.ts";
import { TAKEOVER_RUNBOOKS } from "./takeover/runbooks.ts";
import { TAKEOVER_OF_SERVICES } from "./takeover/services.ts";
import { VOLUME_ADMISSION } from "./volume/admission.ts";
import { RENEWED_CERTIFICATE } from "./volume/hosted-webhook.ts";
import {
  SLOW_ADMISSION,
  VOLUME_DRIFT_PERIOD_MS,
  VOLUME_LOOP,
  VOLUME_RESTARTS,
} from "./volume/loop.ts";

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

const VOLUMES = {
  "--controllers": "volume-label-controller",
  "--volume-drift-period": `${VOLUME_DRIFT_PERIOD_MS / 1_000}s`,
} as const;

/** Two of these never run at once on one cluster, since each controller would act on every node in it. */
export const GROUPS: readonly Group[] = [
  // The longest group comes first, so that none runs alone at the end.
  {
    name: "restarts with services",
    flags: {},
    ownControllers: true,
    ledger: true,
    atOnce: 1,
    scenarios: [...SERVICE_RESTARTS, ...SCRIPTED_LOAD_BALANCERS, RETRY_ACTION],
  },
  {
    name: "takeover",
    flags: {},
    ownControllers: true,
    ledger: true,
    atOnce: 1,
    scenarios: [
      ...TAKEOVER_OF_SERVICES,
      ...TAKEOVER_OF_ROUTES,
      ...TAKEOVER_BY_CONSENT,
      ...TAKEOVER_OF_MANY,
      ...TAKEOVER_FROM_UPSTREAM,
      ...TAKEOVER_RUNBOOKS,
    ],
  },
  {
    name: "truthful states",
    flags: {},
    ownControllers: true,
    ledger: true,
    atOnce: 1,
    scenarios: [...TRUTHFUL_STATES, ...BLAMELESS_CLOUD],
  },
  {
    name: "pod ranges",
    flags: {},
    ownControllers: true,
    ledger: true,
    atOnce: 1,
    scenarios: [...NODE_IPAM, ...WRONG_POD_RANGES, ...NODE_IPAM_FLAGS],
  },
  {
    name: "default flags",
    flags: {},
    ledger: true,
    scenarios: SHARED.filter(({ id }) => !SLOW_READS.has(id)),
  },
  {
    name: "rare refresh",
    flags: { "--node-status-update-frequency": "5m" },
    scenarios: [REFUSED_ADDRESSES, THROTTLED],
  },
  {
    name: "slow reads",
    flags: {},
    scenarios: SHARED.filter(({ id }) => SLOW_READS.has(id)),
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
    name: "election",
    flags: {},
    ownControllers: true,
    ledger: true,
    atOnce: 4,
    scenarios: [...ELECTION, SHUTDOWN_OF_LEADER, ...LEASE_RENEWAL, INHERITED_IDENTITY],
  },
  {
    name: "settings at run time",
    flags: {},
    ownControllers: true,
    scenarios: [SETTINGS_AT_RUN_TIME],
  },
  {
    name: "Events of other components",
    flags: {},
    ownControllers: true,
    ledger: true,
    scenarios: [WATCHED_EVENTS],
  },
  {
    name: "starting",
    flags: {},
    ownControllers: true,
    atOnce: 4,
    scenarios: [
      ...REFUSED_STARTS,
      ...LACKING_CLOUDS,
      ...SERVING,
      DOCUMENTED_PERMISSIONS,
      ...COMMAND_LINES,
      ...DROP_IN,
      ...FILES_OF_COMMANDS,
      LATE_API_SERVER,
    ],
  },
  {
    name: "endless answers",
    flags: {},
    ownControllers: true,
    ledger: true,
    // One at a time: each of them works on every node in the cluster.
    atOnce: 1,
    scenarios: ENDLESS_ANSWERS,
  },
  {
    name: "rights taken away",
    flags: {},
    ownControllers: true,
    atOnce: 4,
    scenarios: TAKEN_RIGHTS,
  },
  {
    name: "rights of writers",
    flags: {},
    ownControllers: true,
    atOnce: 1,
    scenarios: [SHIPPED_PERMISSIONS, ...TAKEN_RIGHTS_ALONE],
  },
  {
    name: "rights over volumes",
    flags: {},
    ownControllers: true,
    atOnce: 1,
    scenarios: TAKEN_RIGHTS_OVER_VOLUMES,
  },
  {
    // One at a time: each of them works on every node and Service in the cluster.
    name: "selection, identities and migration",
    flags: {},
    ownControllers: true,
    atOnce: 1,
    scenarios: [...SELECTION, IDENTITIES, SEED_MANIFEST, ...MIGRATION, ...REPORTED_BY_COMMANDS],
  },
  {
    name: "api server",
    flags: {},
    ownControllers: true,
    atOnce: 1,
    scenarios: [...API_SERVER, EVENTS_AT_THE_END],
  },
  {
    name: "deletion guard",
    flags: {},
    ownControllers: true,
    ledger: true,
    scenarios: [DELETION_GUARD],
  },
  {
    name: "dry run",
    flags: {},
    ownControllers: true,
    ledger: true,
    atOnce: 1,
    scenarios: DRY_RUN,
  },
  {
    name: "ledger",
    flags: {},
    ownControllers: true,
    ledger: true,
    scenarios: [...LEDGER, ...AUDIT_TRAIL, BACKUP, DASHBOARD],
  },
  {
    // One at a time: each of them works on every node in the cluster.
    name: "retries of nodes",
    flags: {},
    ownControllers: true,
    ledger: true,
    atOnce: 1,
    scenarios: NODE_RETRIES,
  },
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
  { name: "routes", flags: ROUTE_FLAGS, ledger: true, scenarios: ROUTE_CREATION },
  { name: "routes that fail", flags: ROUTE_FLAGS, atOnce: 1, scenarios: ROUTE_FAULTS },
  {
    name: "routes by watch",
    flags: { ...ROUTE_FLAGS, ...WATCH_FLAGS },
    atOnce: 1,
    scenarios: ROUTE_WATCH,
  },
  {
    name: "starting with routes",
    flags: {},
    ownControllers: true,
    atOnce: 1,
    scenarios: [...ROUTE_STARTS, ...SCRIPTED_ROUTES],
  },
  { name: "bad routes", flags: ROUTE_FLAGS, ledger: true, atOnce: 1, scenarios: WRONG_ROUTES },
  {
    name: "new volumes",
    flags: { "--controllers": "-volume-label-controller" },
    webhook: true,
    scenarios: VOLUME_ADMISSION,
  },
  {
    name: "renewed certificate",
    flags: { "--controllers": "-volume-label-controller" },
    webhook: true,
    scenarios: [RENEWED_CERTIFICATE],
  },
  { name: "volumes", flags: VOLUMES, scenarios: VOLUME_LOOP },
  {
    name: "new volumes of a slow cloud",
    flags: VOLUMES,
    webhook: true,
    relayed: true,
    scenarios: SLOW_ADMISSION,
  },
  {
    name: "restarts with volumes",
    flags: {},
    ownControllers: true,
    scenarios: VOLUME_RESTARTS,
  },
  { name: "bad services", ...SERVICES, scenarios: WRONG_SERVICES },
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
