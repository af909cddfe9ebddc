import { BUDGET_RANGES } from "@cloudwright/store/views/budget";
import { z } from "zod";
import {
  auditInput,
  budgetInput,
  changesInput,
  clusterInput,
  idInput,
  intentsInput,
  objectEventsInput,
  runsInput,
} from "../routers/inputs.ts";
import { budget } from "./answers/budget.ts";
import {
  action,
  actions,
  audit,
  auditChain,
  changes,
  controllers,
  objectEvents,
  runDetail,
  runEvents,
  runs,
  settings,
} from "./answers/records.ts";
import { type ApiRoute, asRows, group } from "./api-route.ts";

const ACCOUNTS = { cluster: "accounts" };

/** Addresses of what was done, and by whom. */
export const RECORD_ROUTES: readonly ApiRoute[] = [
  ...group("Runs and actions", [
    {
      path: "/clusters/{cluster}/runs",
      procedure: "runs.list",
      summary: "Runs, the newest first.",
      input: runsInput,
      sort: "-started",
      answer: runs,
    },
    {
      path: "/clusters/{cluster}/runs/{id}",
      procedure: "runs.byId",
      summary: "One run: its plan, each call that it made, and what came of it.",
      input: idInput,
      answer: runDetail,
    },
    {
      path: "/clusters/{cluster}/runs/{id}/events",
      procedure: "runs.events",
      summary:
        "The Kubernetes Events that a run emitted, with those of its object ten minutes before and after it.",
      input: idInput,
      answer: runEvents,
    },
    {
      path: "/clusters/{cluster}/actions",
      procedure: "intents.list",
      summary: "Actions that users requested, the newest first.",
      input: intentsInput,
      sort: "-requested",
      answer: actions,
    },
    {
      path: "/clusters/{cluster}/actions/{id}",
      procedure: "intents.byId",
      summary: "One action, and how far it has come.",
      input: idInput,
      answer: action,
    },
  ]),
  ...group("Events", [
    {
      path: "/clusters/{cluster}/events",
      procedure: "events.ofObject",
      summary:
        "The Kubernetes Events about one object, those of other components and ours, the newest first. Name the object by `kind` and `name`, with its namespace as `namespace/name`.",
      input: objectEventsInput,
      sort: "-at",
      answer: objectEvents,
    },
  ]),
  ...group("Changes", [
    {
      path: "/clusters/{cluster}/changes",
      procedure: "changes.list",
      summary:
        "Objects that differ at `to` from what they were at `from`, kind by kind. Without times, those of the last hour; give both times to read more than one page.",
      input: changesInput,
      sort: "kind",
      answer: changes,
    },
  ]),
  ...group("Audit", [
    {
      path: "/clusters/{cluster}/audit",
      procedure: "audit.list",
      summary: "Audit entries of a cluster, the newest first.",
      input: auditInput,
      sort: "-inserted",
      answer: audit,
    },
    {
      path: "/clusters/{cluster}/audit/chain",
      procedure: "audit.chain",
      summary:
        "The state of a cluster's audit chain: its head, its copy outside the database, its last verification.",
      input: clusterInput,
      answer: auditChain,
    },
    {
      path: "/accounts/audit",
      procedure: "audit.list",
      summary:
        "Audit entries about accounts: sign-ins, users, tokens. Needs a token for all clusters.",
      input: auditInput,
      fixed: ACCOUNTS,
      sort: "-inserted",
      answer: audit,
    },
    {
      path: "/accounts/audit/chain",
      procedure: "audit.chain",
      summary: "The state of the audit chain of accounts. Needs a token for all clusters.",
      input: clusterInput,
      fixed: ACCOUNTS,
      answer: auditChain,
    },
  ]),
  ...group("Controllers", [
    {
      path: "/clusters/{cluster}/controllers",
      procedure: "controllers.activity",
      summary: "How the runs of each controller ended in the last hour.",
      input: clusterInput,
      answer: controllers,
      shape: asRows,
    },
    {
      path: "/clusters/{cluster}/settings",
      procedure: "controllers.settings",
      summary:
        "The flags that each controller process was started with; for secrets, only whether they are set.",
      input: clusterInput,
      answer: settings,
      shape: asRows,
    },
    {
      path: "/clusters/{cluster}/budget",
      procedure: "budget.byCluster",
      summary:
        "Calls to the cloud and to the Kubernetes API, what they waited for, and who made them: from `from` to `to`, or in the range.",
      input: budgetInput.extend({ range: z.enum(BUDGET_RANGES).default("hour") }),
      answer: budget,
    },
  ]),
];
