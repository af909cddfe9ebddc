import { cause } from "@cloudwright/core/model/sentence";
import type { TopologyNode, TopologyService } from "@cloudwright/store/views/topology";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { type Field, field, isoTime, timeField } from "../../components/table/field.ts";
import { listenerText, loadBalancerStatus, membersText } from "./services.ts";

type Either = TopologyNode | TopologyService;

const why = ({ reason }: Either) => (reason === undefined ? undefined : cause(reason, isoTime));

/** The fields of the export of the topology's nodes. */
export const TOPOLOGY_NODE_FIELDS: readonly Field<TopologyNode>[] = [
  field("state", "State", ({ state }) => STATE_PRESENTATION[state].label),
  field("name", "Node", ({ name }) => name),
  field("zone", "Zone", ({ zone }) => zone),
  field("type", "Type", ({ type }) => type),
  field("why", "Why", why),
  timeField("since", "Since", ({ since }) => since),
];

/** The fields of the export of the topology's Services, each with its load balancer, listeners and members. */
export const TOPOLOGY_SERVICE_FIELDS: readonly Field<TopologyService>[] = [
  field("state", "State", ({ state }) => STATE_PRESENTATION[state].label),
  field("service", "Service", ({ name }) => name),
  field("balancer", "Load balancer", ({ loadBalancer }) => loadBalancer?.id),
  field("balancer-state", "Load balancer state", (row) => loadBalancerStatus(row).label),
  field("addresses", "Addresses", ({ loadBalancer }) => loadBalancer?.addresses.join(", ")),
  field("listeners", "Listeners", ({ listeners }) =>
    listeners.map((each) => `${listenerText(each)}${each.differs ? " (differs)" : ""}`).join(", "),
  ),
  field("members", "Members", membersText),
  field("why", "Why", why),
  timeField("since", "Since", ({ since }) => since),
];
