import type { Group } from "../environment/scenario.ts";
import { AUDIT_TRAIL } from "../ledger/audit-trail.ts";
import { BACKUP } from "../ledger/backup.ts";
import { DASHBOARD } from "../ledger/dashboard.ts";
import { LEDGER } from "../ledger/records.ts";
import { INHERITED_IDENTITY } from "../node/identity.ts";
import {
  API_SERVER,
  EVENTS_AT_THE_END,
  LATE_API_SERVER,
  SHUTDOWN_OF_LEADER,
} from "../process/api-server.ts";
import { COMMAND_LINES } from "../process/command-lines.ts";
import { DROP_IN, SEED_MANIFEST } from "../process/drop-in.ts";
import { DRY_RUN } from "../process/dry-run.ts";
import { ELECTION } from "../process/election.ts";
import { ENDLESS_ANSWERS } from "../process/endless-answers.ts";
import { LEASE_RENEWAL } from "../process/lease-renewal.ts";
import { MIGRATION } from "../process/migration.ts";
import { FILES_OF_COMMANDS, REPORTED_BY_COMMANDS } from "../process/reported-by-commands.ts";
import { SELECTION } from "../process/selection.ts";
import { SERVING } from "../process/serving.ts";
import { SETTINGS_AT_RUN_TIME } from "../process/settings-at-run-time.ts";
import { LACKING_CLOUDS, REFUSED_STARTS } from "../process/starting.ts";
import { WATCHED_EVENTS } from "../process/watched-events.ts";
import { IDENTITIES } from "../security/identity-rights.ts";
import {
  DOCUMENTED_PERMISSIONS,
  SHIPPED_PERMISSIONS,
  TAKEN_RIGHTS,
  TAKEN_RIGHTS_ALONE,
  TAKEN_RIGHTS_OVER_VOLUMES,
} from "../security/permissions.ts";

/** The controller as a process: how it starts, leads and ends, what it may do, and what it writes into the ledger. */
export const PROCESS_GROUPS: readonly Group[] = [
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
];
