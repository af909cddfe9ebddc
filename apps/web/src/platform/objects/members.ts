import { t } from "@cloudwright/core/model/language/text";
import type { MemberVerdict } from "@cloudwright/core/model/records/load-balancer-record";
import { formatCount } from "../../components/presentation/format-text.ts";
import { presentations } from "../../components/presentation/states.ts";

type Verdict = MemberVerdict["verdict"];

export const MEMBER_FILTERS = ["all", "in", "soon", "leaving", "out"] as const;
export type MemberFilter = (typeof MEMBER_FILTERS)[number];

/** How a node's verdict looks and reads. */
export const VERDICT_PRESENTATION = presentations<Verdict>({
  in: {
    label: () => t`In`,
    shape: "disc",
    tone: "ok",
    isUsual: true,
    help: () => t`The load balancer sends to it.`,
  },
  soon: {
    label: () => t`Soon`,
    shape: "half-circle",
    tone: "waiting",
    help: () => t`It has been requested, and the cloud does not show it yet.`,
  },
  leaving: {
    label: () => t`Leaving`,
    shape: "hourglass",
    tone: "waiting",
    help: () => t`It should not be behind the load balancer, and the cloud still has it.`,
  },
  out: {
    label: () => t`Out`,
    shape: "ring-dash",
    tone: "neutral",
    help: () => t`The load balancer does not send to it.`,
  },
});

export function countVerdicts(
  members: readonly MemberVerdict[],
): Readonly<Record<MemberFilter, number>> {
  const count = (verdict: Verdict) => members.filter((member) => member.verdict === verdict).length;
  return {
    all: members.length,
    in: count("in"),
    soon: count("soon"),
    leaving: count("leaving"),
    out: count("out"),
  };
}

/** Nodes that are out or changing come first, because users look for those; within each group, nodes are sorted by name. */
export function shownMembers(
  members: readonly MemberVerdict[],
  { member, text }: { readonly member: MemberFilter; readonly text: string },
): readonly MemberVerdict[] {
  const wanted = text.trim().toLowerCase();
  return members
    .filter(({ verdict }) => member === "all" || verdict === member)
    .filter(({ node }) => node.toLowerCase().includes(wanted))
    .toSorted(
      (left, right) =>
        ORDER.indexOf(left.verdict) - ORDER.indexOf(right.verdict) ||
        BY_NAME.compare(left.node, right.node),
    );
}

const ORDER: readonly Verdict[] = ["soon", "leaving", "out", "in"];
/** `w-9` before `w-10`. */
const BY_NAME = new Intl.Collator("en", { numeric: true });

/** Returns why a node is where it is; every node has a reason. */
export function memberReason({ verdict, why, evidence, health }: MemberVerdict): string {
  const reason = WHY[why](evidence);
  if (verdict === "soon") return withHealth(t`requested, and not yet seen in the cloud`, health);
  if (verdict === "leaving") {
    return reason === "" ? t`the cloud still has it` : t`the cloud still has it: ${reason}`;
  }
  if (verdict === "out") return reason === "" ? t`not requested yet` : reason;
  return withHealth(reason === "" ? t`it is eligible` : reason, health);
}

/** Reports whether a node is simply in, which nobody looks for. */
export function isSimplyIn({ verdict, why, health }: MemberVerdict): boolean {
  return verdict === "in" && why === "eligible" && (health ?? "healthy") === "healthy";
}

function withHealth(reason: string, health: string | undefined): string {
  return health === undefined ? reason : t`${reason}, ${health} in the cloud`;
}

const EXCLUDE_LABEL = "node.kubernetes.io/exclude-from-external-load-balancers";
const AUTOSCALER_TAINT = "ToBeDeletedByClusterAutoscaler";

const WHY: Readonly<Record<MemberVerdict["why"], (evidence: string | undefined) => string>> = {
  eligible: () => "",
  notReady: () => t`not ready (by design: the load balancer asks the node itself)`,
  cordoned: () => t`cordoned (by design: pods that run on it still serve)`,
  excludedByLabel: (label = EXCLUDE_LABEL) => t`label ${label}`,
  autoscalerRemoves: () => t`the autoscaler is removing it (taint ${AUTOSCALER_TAINT})`,
  beingDeleted: () => t`the node is being deleted`,
  withoutProviderID: () => t`it has no provider ID, so the cloud cannot identify its machine`,
  foreign: (evidence) =>
    evidence === undefined
      ? t`not a node of this cluster`
      : t`not a node of this cluster (${evidence})`,
  machineGone: () => t`its machine no longer exists in the cloud`,
  refused: (message) =>
    message === undefined ? t`the cloud refuses it` : t`the cloud refuses it: ${message}`,
};

/** `41 in, 3 out`. */
export function membersSentence(members: readonly MemberVerdict[]): string {
  const counts = countVerdicts(members);
  const parts = (["in", "soon", "leaving", "out"] as const)
    .filter((verdict) => counts[verdict] > 0 || verdict === "in")
    .map((verdict) => COUNTED[verdict](formatCount(counts[verdict])));
  return parts.join(", ");
}

const COUNTED: Readonly<Record<Verdict, (count: string) => string>> = {
  in: (count) => t`${count} in`,
  soon: (count) => t`${count} soon`,
  leaving: (count) => t`${count} leaving`,
  out: (count) => t`${count} out`,
};
