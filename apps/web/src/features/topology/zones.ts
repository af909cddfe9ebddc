import { t } from "@cloudwright/core/model/language/text";
import { STATES, type State } from "@cloudwright/core/model/state";
import { grouped } from "@cloudwright/core/model/values/grouped";
import type { TopologyNode } from "@cloudwright/store/views/topology";
import { countOf } from "../../platform/wording/action-title.ts";

/** The nodes of a zone in one state. */
export interface StateGroup {
  readonly state: State;
  readonly nodes: readonly TopologyNode[];
}

export interface Zone {
  /** Undefined for nodes whose machine is in no zone, or has not been found yet. */
  readonly name: string | undefined;
  readonly count: number;
  /** Worst first; none of them is empty. */
  readonly groups: readonly StateGroup[];
}

/** The search; `""` as a zone means none. */
export interface NodesFilter {
  readonly text: string;
  readonly states: readonly State[];
  readonly zone: string | undefined;
}

/** Stands for no zone in an address and in a menu. */
export const NO_ZONE = "none";

export function filteredNodes(
  nodes: readonly TopologyNode[],
  { text, states, zone }: NodesFilter,
): readonly TopologyNode[] {
  const sought = text.trim().toLowerCase();
  return nodes.filter(
    (node) =>
      (states.length === 0 || states.includes(node.state)) &&
      (zone === undefined || (node.zone ?? NO_ZONE) === zone) &&
      [node.name, node.zone ?? "", node.type ?? ""].some((each) =>
        each.toLowerCase().includes(sought),
      ),
  );
}

/** Returns the zones sorted by name, each with its nodes by state; nodes without a zone come last. */
export function zonesOf(nodes: readonly TopologyNode[]): readonly Zone[] {
  const byZone = grouped(nodes, ({ zone }) => zone);
  return [...byZone]
    .toSorted(([left], [right]) => compareZones(left, right))
    .map(([name, own]) => ({ name, count: own.length, groups: groupsOf(own) }));
}

function groupsOf(nodes: readonly TopologyNode[]): readonly StateGroup[] {
  const byState = grouped(nodes, ({ state }) => state);
  return STATES.flatMap((state) => {
    const own = byState.get(state);
    return own === undefined ? [] : [{ state, nodes: own.toSorted(byName) }];
  });
}

const NATURAL = new Intl.Collator("en", { numeric: true });

function byName(left: TopologyNode, right: TopologyNode): number {
  return NATURAL.compare(left.name, right.name);
}

function compareZones(left: string | undefined, right: string | undefined): number {
  if (left === undefined) return 1;
  return right === undefined ? -1 : NATURAL.compare(left, right);
}

export function zoneTitle(name: string | undefined): string {
  return name === undefined ? t`No zone` : t`Zone ${name}`;
}

/** Words the page's summary: how many nodes are where, and where most of what needs a user is. */
export function zonesSentence(nodes: readonly TopologyNode[]): string {
  if (nodes.length === 0) return t`No node has been seen in this cluster yet.`;
  const zones = zonesOf(nodes);
  const named = zones.filter(({ name }) => name !== undefined);
  const count = countOf(nodes.length, "node");
  const total =
    named.length === 0
      ? t`${count} without a zone.`
      : t`${count} in ${countOf(named.length, "zone")}.`;
  return `${total} ${stuckSentence(zones)}`;
}

/** Says how many are stuck, and where all or most of them are. */
function stuckSentence(zones: readonly Zone[]): string {
  const stuck = zones
    .map((zone) => ({ name: zone.name, count: stuckIn(zone) }))
    .filter(({ count }) => count > 0)
    .toSorted((left, right) => right.count - left.count);
  const [worst] = stuck;
  if (worst === undefined) return t`None is stuck.`;
  const sum = stuck.reduce((before, { count }) => before + count, 0);
  const all = countOf(sum, "node");
  const { name, count } = worst;
  if (stuck.length === 1) {
    return name === undefined
      ? t`${all} stuck, without a zone.`
      : t`${all} stuck, in zone ${name}.`;
  }
  return name === undefined
    ? t`${all} stuck, most of them (${count}) without a zone.`
    : t`${all} stuck, most of them (${count}) in zone ${name}.`;
}

function stuckIn({ groups }: Zone): number {
  return groups.find(({ state }) => state === "stuck")?.nodes.length ?? 0;
}
