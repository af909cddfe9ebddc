import type { MemberVerdict } from "@cloudwright/core/model/records/load-balancer-record";
import { type Field, field } from "../../../components/table/field.ts";
import { memberReason, VERDICT_PRESENTATION } from "../../../platform/objects/members.ts";

/** The fields of the export of a load balancer's nodes: the page's columns and more. */
export const MEMBER_FIELDS: readonly Field<MemberVerdict>[] = [
  field("node", "Node", ({ node }) => node),
  field("verdict", "Member", ({ verdict }) => VERDICT_PRESENTATION[verdict].label),
  field("why", "Why", memberReason),
  field("provider", "Provider ID", ({ providerID }) => providerID),
  field("health", "Health in the cloud", ({ health }) => health),
];
