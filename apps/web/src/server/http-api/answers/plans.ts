import { intentStateSchema } from "@cloudwright/core/model/actions/intent";
import { changeSchema, nextSchema, notTakenSchema } from "@cloudwright/core/model/plan";
import { reasonSchema } from "@cloudwright/core/model/reason";
import { outcomeSchema } from "@cloudwright/core/model/run";
import { TAKEOVER_PARTS } from "@cloudwright/store/views/takeover";
import { z } from "zod";
import { named } from "./named.ts";
import { object, pageOf, time, unreadOf } from "./shared.ts";

/* What has not been done yet: what a dry run would do, and what awaits consent before it is taken over. */

export const dryRun = named(
  "DryRun",
  pageOf(
    z.object({
      ...{ controller: z.string(), object, runId: z.string(), at: time },
      ...{ outcome: outcomeSchema, reason: reasonSchema, next: nextSchema },
      changes: z.array(changeSchema),
      notTaken: z.array(notTakenSchema),
    }),
    {
      counts: z.object({ all: z.number(), changes: z.number(), stopped: z.number() }),
      shadow: z
        .object({
          ...{ identity: z.string(), version: z.string(), heardAt: time },
          leader: z.boolean(),
        })
        .optional()
        .meta({ description: "The process that ran dry last; absent where none ever did." }),
    },
  ),
);

const owner = { kind: z.enum(["Service", "Node"]), name: z.string() };

const provenRoutes = z.object({
  ...{ name: z.string(), uid: z.string() },
  routes: z.array(z.object({ id: z.string(), destination: z.string() })),
  ...{ asOf: time.optional(), runId: z.string() },
});

export const takeover = named(
  "Takeover",
  z.object({
    waiting: z
      .array(
        z.object({
          ...{ ...owner, uid: z.string(), reason: reasonSchema, since: time },
          refusal: z
            .string()
            .optional()
            .meta({ description: "Why consent alone is not enough, as a sentence." }),
          open: z
            .object({ id: z.string(), actor: z.string(), state: intentStateSchema })
            .optional()
            .meta({ description: "Its adoption that is requested and has not ended." }),
        }),
      )
      .meta({ description: "What waits for consent." }),
    adopted: z
      .array(
        z.object({
          ...{ ...owner, id: z.string(), by: z.enum(["proofs", "consent", "flag"]) },
          ...{ actor: z.string(), why: z.string(), at: time, runId: z.string().optional() },
        }),
      )
      .meta({ description: "What was adopted, the newest first." }),
    proven: z
      .array(provenRoutes)
      .meta({ description: "Nodes whose routes two proofs show to be theirs." }),
    reported: z
      .array(provenRoutes)
      .meta({ description: "Nodes with routes that `--adopt=report` leaves as they are." }),
    counts: z.object({
      waiting: z.object({ balancers: z.number(), routes: z.number() }),
      adopted: z.object({ proofs: z.number(), consent: z.number(), flag: z.number() }),
      ...{ proven: z.number(), reported: z.number() },
    }),
    unread: unreadOf(TAKEOVER_PARTS),
  }),
);
