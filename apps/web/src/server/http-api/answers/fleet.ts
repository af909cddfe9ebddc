import { reasonSchema } from "@cloudwright/core/model/reason";
import { flagSettingSchema } from "@cloudwright/core/model/records/settings-record";
import { stateSchema } from "@cloudwright/core/model/state";
import { SAVED_PAGES } from "@cloudwright/store/views/saved-views";
import { z } from "zod";
import { named } from "./named.ts";
import { runRow } from "./records.ts";
import { rowsOf, time } from "./shared.ts";

const inCluster = { cluster: z.string(), name: z.string() };

export const found = named(
  "Found",
  z.object({
    objects: z.array(
      z.object({
        kind: z.string(),
        name: z.string(),
        uid: z.string(),
        state: stateSchema,
        providerID: z.string().optional(),
        address: z.string().optional(),
      }),
    ),
    runs: z.array(runRow),
    runCount: z
      .number()
      .meta({ description: "How many runs made the cloud call of that id, up to 10,000." }),
    intentId: z.string().optional(),
  }),
);

export const fleetFound = named(
  "FoundInClusters",
  z.object({
    clusters: z
      .array(z.object({ ...inCluster, found }))
      .meta({ description: "Clusters in which the text means anything." }),
    searched: z.number().meta({ description: "How many clusters were searched." }),
  }),
);

const causeMember = z.object({
  kind: z.string(),
  name: z.string(),
  uid: z.string(),
  reason: reasonSchema,
  since: time,
});

const sharedCause = named(
  "SharedCause",
  z.object({
    id: z.string(),
    kind: z.enum(["stuck", "held"]),
    code: z.string(),
    count: z.number(),
    since: time,
    clusters: z.array(
      z.object({
        ...inCluster,
        count: z.number(),
        since: time,
        kinds: z.record(z.string(), z.number()),
        members: z.array(causeMember).meta({ description: "The oldest ones, at most 5." }),
      }),
    ),
  }),
);
export const sharedCauses = rowsOf(sharedCause);

export const fleetSettings = named(
  "ComparedSettings",
  z.object({
    clusters: z.array(
      z.object({
        ...inCluster,
        provider: z.string(),
        versions: z.array(z.string()),
        process: z.object({ identity: z.string(), leader: z.boolean() }).optional().meta({
          description: "Whose flags are compared; absent where none has reported its flags.",
        }),
      }),
    ),
    differing: z.array(
      z
        .object(flagSettingSchema.def.innerType.shape)
        .pick({ name: true, section: true, initial: true, help: true })
        .extend({
          values: z.array(
            z.object({
              value: z
                .string()
                .optional()
                .meta({ description: "Absent where the version does not know the flag." }),
              clusters: z.array(z.string()),
            }),
          ),
        }),
    ),
    same: z.number().meta({ description: "How many flags are the same everywhere." }),
  }),
);

export const savedViews = rowsOf(
  named(
    "SavedView",
    z.object({
      id: z.string(),
      name: z.string(),
      page: z.enum(SAVED_PAGES),
      search: z
        .string()
        .meta({ description: "Parameters of the page's address, without the question mark." }),
      columns: z.object({ table: z.string(), hidden: z.array(z.string()) }).optional(),
      cluster: z.string().optional().meta({ description: "Absent of a view of all clusters." }),
      isShared: z.boolean(),
      isOwn: z.boolean(),
      owner: z.string(),
      mayChange: z.boolean(),
    }),
  ),
);
