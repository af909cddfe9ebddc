import { intentSchema } from "@cloudwright/core/model/actions/intent";
import { incidentSubjectSchema } from "@cloudwright/core/model/incident-subject";
import { keptSnapshotSchema } from "@cloudwright/store/incidents/snapshot-schema";
import { z } from "zod";
import { named } from "./named.ts";
import { rowsOf, time } from "./shared.ts";

/* What users write for each other, and what they decide on. */

const by = { by: z.string(), at: time };

const comment = named(
  "Comment",
  z.object({
    ...{ id: z.string(), author: z.string(), at: time },
    text: z.string().meta({ description: "Plain text; empty once it was withdrawn." }),
    withdrawn: z.object(by).optional(),
    mayWithdraw: z.boolean(),
  }),
);
export const comments = named("Comments", rowsOf(comment));

const incidentRow = named(
  "Incident",
  z.object({
    ...{ id: z.string(), title: z.string().optional() },
    subject: z.string().meta({ description: "What it is about, such as `Node w-9`." }),
    subjectParts: z.optional(incidentSubjectSchema).meta({
      description: "Of what the subject is made; absent of an incident of an earlier release.",
    }),
    ...{ madeBy: z.string(), madeAt: time, mayDelete: z.boolean() },
  }),
);
export const incidents = rowsOf(incidentRow);

export const incident = named(
  "IncidentDetail",
  incidentRow.extend({
    snapshot: z
      .optional(named("IncidentSnapshot", keptSnapshotSchema))
      .meta({ description: "What was seen then; absent where only another release can read it." }),
  }),
);

export const waitingApprovals = rowsOf(
  named(
    "WaitingApproval",
    z.object({
      intent: intentSchema,
      whyNot: z.string().optional().meta({
        description: "Why the token's user could not decide about it; absent if they can.",
      }),
      isOwn: z.boolean(),
    }),
  ),
);

export const approvalPolicy = named(
  "ApprovalPolicy",
  z.object({
    required: z.boolean(),
    changed: z.object(by).optional(),
    admins: z.number().meta({ description: "How many admins of the cluster can approve." }),
  }),
);
