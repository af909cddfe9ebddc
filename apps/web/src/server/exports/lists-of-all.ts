import { canonicalJson, type Json, type JsonObject } from "@cloudwright/core/model/values/json";
import { fleetSettings } from "@cloudwright/store/queries/fleet/fleet-settings";
import { sharedCauses } from "@cloudwright/store/queries/fleet/shared-causes";
import { listClusters } from "@cloudwright/store/queries/overview/clusters";
import { listOwnTokens, listTokens } from "@cloudwright/store/users/api-tokens";
import type { ClusterAccess } from "@cloudwright/store/users/cluster-access";
import { listSessions, type SessionContext } from "@cloudwright/store/users/sessions";
import { listUsers } from "@cloudwright/store/users/users";
import {
  deliveriesSchema,
  listDeliveries,
  listWebhooks,
} from "@cloudwright/store/webhooks/deliveries";
import { z } from "zod";
import type { Field } from "../../components/table/field.ts";
import { CAUSE_FIELDS, causeRows } from "../../features/clusters/cause-fields.ts";
import { CLUSTER_FIELDS } from "../../features/clusters/cluster-fields.ts";
import { COMPARED_FIELDS, comparedRows } from "../../features/clusters/compare/compared-fields.ts";
import {
  SESSION_FIELDS,
  TOKEN_FIELDS,
  tokensByPanel,
  USER_FIELDS,
} from "../../features/settings/account-fields.ts";
import {
  DELIVERY_FIELDS,
  WEBHOOK_FIELDS,
} from "../../features/settings/notifications/webhook-fields.ts";
import { worstClusterFirst } from "../../platform/live/cluster-state.ts";
import type { OpenedList } from "./open-list.ts";

/** The session that asks, and the viewer whose rows are read. */
export interface ListReader extends SessionContext {
  readonly actor: SessionContext["actor"] & { readonly clusters: ClusterAccess };
}

/** Returns undefined for a filter that the list does not have. */
type OpenOfAll = (reader: ListReader, filter: JsonObject) => OpenedList | undefined;

const NONE = z.strictObject({});

/** Lists that do not belong to one cluster. Each is read by its page's query, which knows who may see what. */
export const LISTS_OF_ALL: Readonly<Record<string, OpenOfAll>> = {
  clusters: ofAll(NONE, CLUSTER_FIELDS, async function* ({ db, actor }) {
    const readAt = Date.now();
    const clusters = worstClusterFirst(await listClusters(db, actor.clusters), readAt);
    yield clusters.map((cluster) => ({ cluster, readAt }));
  }),
  "shared-causes": ofAll(NONE, CAUSE_FIELDS, async function* ({ db, actor }) {
    yield causeRows(await sharedCauses(db, actor.clusters));
  }),
  "compared-flags": ofAll(NONE, COMPARED_FIELDS, async function* ({ db, actor }) {
    yield comparedRows(await fleetSettings(db, actor.clusters));
  }),
  users: ofAll(NONE, USER_FIELDS, async function* (reader) {
    yield await listUsers(reader);
  }),
  sessions: ofAll(z.strictObject({ of: z.enum(["own", "all"]) }), SESSION_FIELDS, sessionPages),
  tokens: ofAll(
    z.strictObject({ of: z.enum(["own", "services", "others"]) }),
    TOKEN_FIELDS,
    tokenPages,
  ),
  webhooks: ofAll(NONE, WEBHOOK_FIELDS, async function* (reader) {
    yield await listWebhooks(reader);
  }),
  deliveries: ofAll(
    deliveriesSchema.omit({ cursor: true, limit: true }).strict(),
    DELIVERY_FIELDS,
    deliveryPages,
  ),
};

async function* sessionPages(reader: ListReader, { of }: { readonly of: "own" | "all" }) {
  yield await listSessions(reader, of === "own" ? { userId: reader.actor.id } : {});
}

/** Yields the tokens of one of the page's panels. */
async function* tokenPages(
  reader: ListReader,
  { of }: { readonly of: "own" | "services" | "others" },
) {
  if (of === "own") yield await listOwnTokens(reader);
  else {
    const { services, others } = tokensByPanel(await listTokens(reader), reader.actor.id);
    yield of === "services" ? services : others;
  }
}

const PAGE = 100;

async function* deliveryPages(
  reader: ListReader,
  filter: Omit<z.output<typeof deliveriesSchema>, "cursor" | "limit">,
) {
  let cursor: string | undefined;
  do {
    const { rows, next } = await listDeliveries(reader, { ...filter, cursor, limit: PAGE });
    yield rows;
    cursor = next;
  } while (cursor !== undefined);
}

function ofAll<Filter extends object, Row>(
  schema: z.ZodType<Filter>,
  fields: readonly Field<Row>[],
  pages: (reader: ListReader, filter: Filter) => AsyncIterable<readonly Row[]>,
): OpenOfAll {
  return (reader, filter) => {
    const parsed = schema.safeParse(filter);
    if (!parsed.success || canonicalJson(parsed.data as Json) !== canonicalJson(filter)) {
      return undefined;
    }
    return {
      ...{ order: "shown", filter },
      // Rows and fields belong to the same list.
      ...({ fields, pages: pages(reader, parsed.data) } as Pick<OpenedList, "fields" | "pages">),
    };
  };
}
