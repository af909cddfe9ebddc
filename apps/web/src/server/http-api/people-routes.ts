import { incidentInputSchema } from "@cloudwright/store/incidents/incidents";
import { clusterInput, idInput, shadowInput, waitingInput } from "../routers/inputs.ts";
import {
  approvalPolicy,
  comments,
  incident,
  incidents,
  waitingApprovals,
} from "./answers/people.ts";
import { dryRun, takeover } from "./answers/plans.ts";
import { type ApiRoute, asRows, group } from "./api-route.ts";

/** Addresses of what waits for users, and of what they write for each other. */
export const PEOPLE_ROUTES: readonly ApiRoute[] = [
  ...group("Takeover and dry run", [
    {
      path: "/clusters/{cluster}/takeover",
      procedure: "takeover.byCluster",
      summary:
        "What was made by another controller: what waits for consent, what was adopted, what is only reported. At most 500 of each.",
      input: clusterInput,
      answer: takeover,
    },
    {
      path: "/clusters/{cluster}/dry-run",
      procedure: "shadow.pending",
      summary: "What a controller that runs dry would do, object by object.",
      input: shadowInput,
      sort: "object",
      answer: dryRun,
    },
  ]),
  ...group("Approvals, comments and incidents", [
    {
      path: "/clusters/{cluster}/approvals",
      procedure: "approvals.waiting",
      summary: "Actions that wait for another user's approval, the oldest first.",
      input: waitingInput,
      answer: waitingApprovals,
      shape: asRows,
    },
    {
      path: "/clusters/{cluster}/approval-policy",
      procedure: "approvals.policy",
      summary: "Whether the actions of an admin need another user's approval.",
      input: clusterInput,
      answer: approvalPolicy,
    },
    {
      path: "/clusters/{cluster}/runs/{id}/comments",
      procedure: "comments.list",
      summary: "Comments on a run, the newest last.",
      input: idInput,
      named: ({ cluster, id }) => ({ cluster, about: { kind: "run", id } }),
      answer: comments,
      shape: asRows,
    },
    {
      path: "/clusters/{cluster}/actions/{id}/comments",
      procedure: "comments.list",
      summary: "Comments on an action, the newest last.",
      input: idInput,
      named: ({ cluster, id }) => ({ cluster, about: { kind: "action", id } }),
      answer: comments,
      shape: asRows,
    },
    {
      path: "/clusters/{cluster}/incidents",
      procedure: "incidents.list",
      summary: "Incidents that users have shared, the newest first.",
      input: clusterInput,
      answer: incidents,
      shape: asRows,
    },
    {
      path: "/clusters/{cluster}/incidents/{id}",
      procedure: "incidents.byId",
      summary: "One incident with what was seen when it was shared.",
      input: incidentInputSchema,
      answer: incident,
    },
  ]),
];
