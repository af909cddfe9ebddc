import type { NodeLoadBalancer } from "@cloudwright/store/views/load-balancers";
import { STATE_PRESENTATION } from "../../../components/presentation/states.ts";
import { type Field, field } from "../../../components/table/field.ts";
import { memberReason, VERDICT_PRESENTATION } from "../../../platform/objects/members.ts";

/** The fields of the export of a node's load balancers. */
export const NODE_LOAD_BALANCER_FIELDS: readonly Field<NodeLoadBalancer>[] = [
  field("service", "Service", ({ service }) => service),
  field("verdict", "This node", ({ verdict }) => VERDICT_PRESENTATION[verdict.verdict].label),
  field("why", "Why", ({ verdict }) => memberReason(verdict)),
  field("address", "Address", ({ addresses }) => addresses.join(", ")),
  field("state", "State", ({ state }) => STATE_PRESENTATION[state].label),
];
