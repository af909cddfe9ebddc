"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { TopologyNode } from "@cloudwright/store/views/topology";
import { memo, useMemo } from "react";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import { formatCount } from "../../../components/presentation/format-text.ts";
import { STATE_PRESENTATION } from "../../../components/presentation/states.ts";
import { StatusIcon } from "../../../components/status/status-icon.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { countOf } from "../../../platform/wording/action-title.ts";
import { type Zone, zonesOf, zoneTitle } from "../zones.ts";
import styles from "./picture.module.css";
import { shortened } from "./viewport.ts";
import {
  DOT,
  type DrawnGroup,
  type DrawnZone,
  HEAD,
  layOutZones,
  NAMED,
  ZONE_WIDTH,
} from "./zones-layout.ts";
import { Zoomable } from "./zoomable.tsx";

/** From this scale on, there is room for a name beside each shape. */
const NAMES_FROM = 2.4;

/** The cloud with its zones, and in each the nodes by state, the worst first. */
export function ZonesPicture({
  cloud,
  nodes,
  columns,
}: {
  /** `sandbox`. */
  readonly cloud: string;
  readonly nodes: readonly TopologyNode[];
  /** How many zones are side by side. */
  readonly columns: number;
}) {
  const zones = useMemo(() => zonesOf(nodes), [nodes]);
  const drawing = useMemo(() => layOutZones(zones, columns), [zones, columns]);
  return (
    <Zoomable label={t`Zones of ${cloud} with their nodes`} drawing={drawing}>
      {(scale) => (
        <>
          <rect className={styles.cloud} width={drawing.width} height={drawing.height} rx="14" />
          <text className={styles.title} x="14" y="25">
            {mixed`Cloud ${cloud}${(
              <tspan className={styles.note} dx="10">
                {countOf(nodes.length, "node")} · {countOf(zones.length, "zone")}
              </tspan>
            )}`}
          </text>
          {drawing.zones.map((zone) => (
            <ZoneBox key={zone.zone.name ?? ""} drawn={zone} hasNames={scale >= NAMES_FROM} />
          ))}
        </>
      )}
    </Zoomable>
  );
}

const ZoneBox = memo(PlainZoneBox);

function PlainZoneBox({
  drawn: { zone, groups, x, y, width, height },
  hasNames,
}: {
  readonly drawn: DrawnZone;
  readonly hasNames: boolean;
}) {
  const [worst] = zone.groups;
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className={styles.box} width={width} height={height} rx="10" />
      {worst === undefined ? null : (
        <g transform="translate(12 9)">
          <StatusIcon status={STATE_PRESENTATION[worst.state]} size={14} />
        </g>
      )}
      <text className={styles.strong} x="33" y="20">
        {shortened(zoneTitle(zone.name), 24)}
      </text>
      <text className={styles.note} x={width - 12} y="20" textAnchor="end">
        {countOf(zone.count, "node")}
      </text>
      <line className={styles.line} x2={width} y1={HEAD} y2={HEAD} />
      {groups.map((group) => (
        <Group key={group.group.state} drawn={group} zone={zone} hasNames={hasNames} />
      ))}
    </g>
  );
}

function Group({
  drawn: { group, y, as, nodes },
  zone,
  hasNames,
}: {
  readonly drawn: DrawnGroup;
  readonly zone: Zone;
  readonly hasNames: boolean;
}) {
  const status = STATE_PRESENTATION[group.state];
  return (
    <>
      <text className={styles.note} x="12" y={y + 13}>
        {status.label} {formatCount(group.nodes.length)}
      </text>
      {as === "block" ? <Block group={group} zone={zone} y={y + 20} /> : null}
      {nodes.map((drawn) =>
        as === "names" ? (
          <NamedNode key={drawn.node.name} {...drawn} />
        ) : (
          <Dot key={drawn.node.name} {...drawn} hasName={hasNames} />
        ),
      )}
    </>
  );
}

interface NodeProps {
  readonly node: TopologyNode;
  readonly x: number;
  readonly y: number;
}

function NamedNode({ node, x, y }: NodeProps) {
  return (
    <NodeLink node={node} x={x} y={y}>
      <rect className={styles.area} x="-4" width={NAMED.width} height={NAMED.height} rx="4" />
      <g transform="translate(0 3)">
        <StatusIcon status={STATE_PRESENTATION[node.state]} size={14} />
      </g>
      <text className={styles.name} x="19" y="14">
        {shortened(node.name, 17)}
      </text>
    </NodeLink>
  );
}

function Dot({ node, x, y, hasName }: NodeProps & { readonly hasName: boolean }) {
  return (
    <NodeLink node={node} x={x} y={y}>
      <rect className={styles.area} x="-1" y="-1" width={DOT - 2} height={DOT - 2} rx="3" />
      <g transform={hasName ? "translate(3.5 0)" : "translate(1 1)"}>
        <StatusIcon status={STATE_PRESENTATION[node.state]} size={hasName ? 9 : 12} />
      </g>
      {hasName ? (
        <text className={styles.tiny} x={DOT / 2 - 1} y="14" textAnchor="middle">
          {shortened(node.name, 10)}
        </text>
      ) : null}
    </NodeLink>
  );
}

function NodeLink({
  node: { name, state },
  x,
  y,
  children,
}: NodeProps & { readonly children: React.ReactNode }) {
  const cluster = useClusterId();
  return (
    <g transform={`translate(${x} ${y})`}>
      <Link
        className={styles.link}
        href={addresses.node(cluster, name)}
        prefetch={false}
        tabIndex={-1}
      >
        <title>{`${name}, ${STATE_PRESENTATION[state].label}`}</title>
        {children}
      </Link>
    </g>
  );
}

function Block({
  group,
  zone,
  y,
}: {
  readonly group: DrawnGroup["group"];
  readonly zone: Zone;
  readonly y: number;
}) {
  const cluster = useClusterId();
  const status = STATE_PRESENTATION[group.state];
  const zoned = zone.name === undefined ? "" : `&zone=${encodeURIComponent(zone.name)}`;
  return (
    <g transform={`translate(12 ${y})`}>
      <Link
        className={styles.link}
        href={`${addresses.nodes(cluster)}?state=${group.state}${zoned}`}
        prefetch={false}
        tabIndex={-1}
      >
        <rect className={styles.block} width={ZONE_WIDTH - 24} height="32" rx="6" />
        <g transform="translate(10 9)">
          <StatusIcon status={status} size={14} />
        </g>
        <text className={styles.name} x="32" y="20">
          {countOf(group.nodes.length, "node")} {status.label}
        </text>
      </Link>
    </g>
  );
}
