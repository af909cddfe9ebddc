import { stateSchema } from "@cloudwright/core/model/state";
import type { Database } from "@cloudwright/store/database/database";
import { incidentPages } from "@cloudwright/store/incidents/incidents";
import { takeoverOf } from "@cloudwright/store/queries/adoption/takeover";
import { loadBalancerDetail } from "@cloudwright/store/queries/objects/load-balancers";
import { nodeLoadBalancers } from "@cloudwright/store/queries/objects/node-detail";
import { clusterById } from "@cloudwright/store/queries/overview/clusters";
import { processSettings } from "@cloudwright/store/queries/overview/controllers";
import { runEvents } from "@cloudwright/store/queries/runs/run-events";
import { topologyNodes, topologyServices } from "@cloudwright/store/sql/objects/topology";
import type { TakeoverView } from "@cloudwright/store/views/takeover";
import { topologyNodesOf } from "@cloudwright/store/views/topology";
import { z } from "zod";
import type { Field } from "../../components/table/field.ts";
import { INCIDENT_FIELDS } from "../../features/incidents/incident-fields.ts";
import { MEMBER_FIELDS } from "../../features/load-balancers/detail/member-fields.ts";
import { NODE_LOAD_BALANCER_FIELDS } from "../../features/nodes/detail/node-load-balancer-fields.ts";
import { EVENT_FIELDS } from "../../features/runs/detail/event-fields.ts";
import { FLAG_FIELDS, flagRows } from "../../features/settings/flag-fields.ts";
import { SETTING_FIELDS, settingRows } from "../../features/settings/setting-fields.ts";
import {
  ADOPTED_FIELDS,
  REPORTED_FIELDS,
  WAITING_FIELDS,
} from "../../features/takeover/takeover-fields.ts";
import { adoptedRows, reportedRows, waitingRows } from "../../features/takeover/takeover-rows.ts";
import {
  TOPOLOGY_NODE_FIELDS,
  TOPOLOGY_SERVICE_FIELDS,
} from "../../features/topology/topology-fields.ts";
import { filteredNodes } from "../../features/topology/zones.ts";
import { MEMBER_FILTERS, shownMembers } from "../../platform/objects/members.ts";
import { clusterInput, idInput, nameInput, serviceInput, someText } from "../routers/inputs.ts";
import { AS_SHOWN, asShown, list, type OpenList } from "./open-list.ts";

/** Lists that a page reads whole and filters itself; files use the same filter functions. */
export const WHOLE_LISTS: Readonly<Record<string, OpenList>> = {
  "takeover-waiting": takeover(waitingRows, WAITING_FIELDS),
  "takeover-adopted": takeover(adoptedRows, ADOPTED_FIELDS),
  "takeover-reported": takeover(reportedRows, REPORTED_FIELDS),
  members: list({
    input: clusterInput.extend({
      filter: serviceInput
        .omit({ cluster: true })
        .extend({ member: z.enum(MEMBER_FILTERS).optional(), text: someText }),
      sort: asShown,
    }),
    usual: AS_SHOWN,
    fields: MEMBER_FIELDS,
    async *pages(db, { cluster, filter: { namespace, name, member = "all", text = "" } }) {
      const { detail } = await loadBalancerDetail(db, { cluster, namespace, name });
      yield shownMembers(detail?.members ?? [], { member, text });
    },
  }),
  "node-load-balancers": list({
    input: clusterInput.extend({ filter: nameInput.omit({ cluster: true }), sort: asShown }),
    usual: AS_SHOWN,
    fields: NODE_LOAD_BALANCER_FIELDS,
    async *pages(db, { cluster, filter: { name } }) {
      yield (await nodeLoadBalancers(db, { cluster, name })).balancers;
    },
  }),
  "run-events": list({
    input: clusterInput.extend({ filter: idInput.omit({ cluster: true }), sort: asShown }),
    usual: AS_SHOWN,
    fields: EVENT_FIELDS,
    async *pages(db, { cluster, filter: { id } }) {
      yield (await runEvents(db, { cluster, id })).events;
    },
  }),
  "topology-nodes": list({
    input: clusterInput.extend({
      filter: z.object({
        text: someText,
        states: z.array(stateSchema).readonly().optional(),
        zone: someText,
      }),
      sort: asShown,
    }),
    usual: AS_SHOWN,
    fields: TOPOLOGY_NODE_FIELDS,
    async *pages(db, { cluster, filter: { text = "", states = [], zone } }) {
      const { nodes } = topologyNodesOf(await topologyNodes(db, { cluster }));
      yield filteredNodes(nodes, { text, states, zone });
    },
  }),
  "topology-services": list({
    input: clusterInput.extend({ filter: z.object({ text: someText }), sort: asShown }),
    usual: AS_SHOWN,
    fields: TOPOLOGY_SERVICE_FIELDS,
    async *pages(db, { cluster, filter: { text } }) {
      yield (await topologyServices(db, { cluster, text })).services;
    },
  }),
  flags: list({
    input: clusterInput.extend({ filter: z.object({}), sort: asShown }),
    usual: AS_SHOWN,
    fields: FLAG_FIELDS,
    async *pages(db, { cluster }) {
      yield flagRows(await processSettings(db, cluster));
    },
  }),
  settings: list({
    input: clusterInput.extend({ filter: z.object({}), sort: asShown }),
    usual: AS_SHOWN,
    fields: SETTING_FIELDS,
    async *pages(db, { cluster }) {
      const { leader } = await clusterById(db, cluster);
      yield settingRows(leader?.controls?.settings ?? []);
    },
  }),
  incidents: list({
    input: clusterInput.extend({ filter: z.object({}), sort: asShown }),
    usual: AS_SHOWN,
    fields: INCIDENT_FIELDS,
    pages: incidentPages,
  }),
};

type TakeoverRows<Row> = (found: TakeoverView, text: string) => readonly Row[];

function takeover<Row>(rowsOf: TakeoverRows<Row>, fields: readonly Field<Row>[]): OpenList {
  return list({
    input: clusterInput.extend({ filter: z.object({ text: someText }), sort: asShown }),
    usual: AS_SHOWN,
    fields,
    pages: (db, { cluster, filter }) => takeoverPages(db, { cluster, ...filter }, rowsOf),
  });
}

/** Yields all rows, where the page lists only the first ones. */
async function* takeoverPages<Row>(
  db: Database,
  { cluster, text = "" }: { readonly cluster: string; readonly text?: string | undefined },
  rowsOf: TakeoverRows<Row>,
): AsyncGenerator<readonly Row[]> {
  yield rowsOf(await takeoverOf(db, cluster, { most: ALL }), text);
}

/** More than any cluster has. */
const ALL = 1_000_000;
