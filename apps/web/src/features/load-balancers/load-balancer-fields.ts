import type { LoadBalancerRow, OrphanRow } from "@cloudwright/store/views/load-balancers";
import { type Field, field, timeField } from "../../components/table/field.ts";
import { leadingFields, trailingFields } from "../../components/table/record-fields.ts";

/** The fields of the export of load balancers: the page's columns and more. */
export const LOAD_BALANCER_FIELDS: readonly Field<
  Omit<LoadBalancerRow, "namespace" | "service">
>[] = [
  ...leadingFields({ id: "service", header: "Service" }),
  field("members", "Members", ({ membersIn }) => membersIn),
  field("membersWanted", "Members wanted", ({ membersWanted }) => membersWanted),
  field("address", "Address", ({ addresses: all }) => all.join(", ")),
  field("type", "Type", ({ type }) => type),
  field("balancer", "Load balancer", ({ providerID }) => providerID),
  timeField("changed", "Last change", ({ changedAt }) => changedAt),
  ...trailingFields(),
];

/** The same for those that no Service uses. */
export const ORPHAN_FIELDS: readonly Field<Omit<OrphanRow, "openIntents">>[] = [
  field("balancer", "Load balancer", ({ name }) => name),
  field("service", "Former owner", ({ detail }) => detail.service),
  field("serviceUid", "Former owner (UID)", ({ detail }) => detail.serviceUid),
  timeField("since", "Orphan for", ({ detail }) => detail.firstSeenAt),
  field("cost", "Cost", ({ detail }) => detail.costHint),
  field("address", "Address", ({ detail }) => detail.actual.addresses.join(", ")),
  field("cloud-state", "Cloud says", ({ detail }) => detail.actual.state),
  field("name", "Name in the cloud", ({ detail }) => detail.actual.name),
  timeField("removeAt", "Removed by itself at", ({ detail }) => detail.removeAt),
  ...trailingFields(),
];
