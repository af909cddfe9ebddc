import type { Node, Taint } from "../resources/node-schema.ts";

const NOT_READY = "node.kubernetes.io/not-ready";
const UNREACHABLE = "node.kubernetes.io/unreachable";

/** Which taint says what about Ready: False is not ready, Unknown is unreachable. */
const TAINT_OF_STATUS: Readonly<Record<string, string>> = {
  False: NOT_READY,
  Unknown: UNREACHABLE,
};

/** The node with the not-ready and unreachable taints that its Ready condition asks for; the very node when it has them. */
export function withMonitoredTaints(node: Node, at: Date): Node {
  const taints = node.spec.taints ?? [];
  const wanted = wantedTaints(node, at);
  const others = taints.filter((taint) => !isMonitored(taint));
  const present = taints.filter(isMonitored);
  const isRight =
    present.length === wanted.length && wanted.every((taint) => present.some(sameAs(taint)));
  if (isRight) return node;
  const kept = wanted.map((taint) => present.find(sameAs(taint)) ?? taint);
  const { taints: _before, ...spec } = node.spec;
  const after = [...others, ...kept];
  return { ...node, spec: after.length === 0 ? spec : { ...spec, taints: after } };
}

/** Without a Ready condition nothing is known yet: the taint of admission stays. */
function wantedTaints(node: Node, at: Date): readonly Taint[] {
  const ready = (node.status.conditions ?? []).find(({ type }) => type === "Ready");
  if (ready === undefined) return (node.spec.taints ?? []).filter(isMonitored);
  const key = TAINT_OF_STATUS[ready.status];
  if (key === undefined) return [];
  const timeAdded = `${at.toISOString().slice(0, 19)}Z`;
  return [
    { key, effect: "NoSchedule", timeAdded },
    { key, effect: "NoExecute", timeAdded },
  ];
}

function isMonitored({ key }: Taint): boolean {
  return key === NOT_READY || key === UNREACHABLE;
}

function sameAs(wanted: Taint): (taint: Taint) => boolean {
  return ({ key, effect }) => key === wanted.key && effect === wanted.effect;
}
