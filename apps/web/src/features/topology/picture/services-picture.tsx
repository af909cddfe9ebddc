"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { TopologyService } from "@cloudwright/store/views/topology";
import { memo, type ReactNode, useMemo } from "react";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import { formatCount } from "../../../components/presentation/format-text.ts";
import {
  DRIFT_PRESENTATION,
  type Presentation,
  STATE_PRESENTATION,
} from "../../../components/presentation/states.ts";
import { StatusIcon } from "../../../components/status/status-icon.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { memberReason, VERDICT_PRESENTATION } from "../../../platform/objects/members.ts";
import { listenerText, loadBalancerStatus, memberCount } from "../services.ts";
import styles from "./picture.module.css";
import {
  BOX,
  COLUMNS,
  type DrawnService,
  edgePath,
  layOutServices,
  OTHER,
  PILL,
  ROW_GAP,
} from "./services-layout.ts";
import { shortened } from "./viewport.ts";
import { Zoomable } from "./zoomable.tsx";

const HEADS = [
  ["service", () => "Service"],
  ["loadBalancer", () => t`Load balancer`],
  ["listeners", () => t`Listeners`],
  ["members", () => t`Members`],
] as const;

/** The approximate maximum width of a character, in names and in notes. */
const STRONG_CHARACTER = 6.6;
const NAME_CHARACTER = 6.2;
const NOTE_CHARACTER = 5.6;

/** Each Service with the nodes behind it, the worst Service first. */
export function ServicesPicture({ services }: { readonly services: readonly TopologyService[] }) {
  const drawing = useMemo(() => layOutServices(services), [services]);
  return (
    <Zoomable label={t`Services, their load balancers, listeners and members`} drawing={drawing}>
      {() => (
        <>
          {HEADS.map(([column, head]) => (
            <text key={column} className={styles.note} x={COLUMNS[column].x} y="20">
              {head()}
            </text>
          ))}
          {drawing.services.map((drawn) => (
            <ServiceRow key={drawn.service.name} drawn={drawn} width={drawing.width} />
          ))}
        </>
      )}
    </Zoomable>
  );
}

const ServiceRow = memo(PlainServiceRow);

function PlainServiceRow({
  drawn,
  width,
}: {
  readonly drawn: DrawnService;
  readonly width: number;
}) {
  const cluster = useClusterId();
  const { service, y, boxY } = drawn;
  const { name, state, loadBalancer } = service;
  const href = addresses.balancer(cluster, name);
  const status = loadBalancerStatus(service);
  return (
    <g transform={`translate(0 ${y})`}>
      <line className={styles.line} x2={width} y1={-ROW_GAP / 2} y2={-ROW_GAP / 2} />
      <Edges drawn={drawn} />
      <Box
        {...{ href, y: boxY, column: COLUMNS.service, status: STATE_PRESENTATION[state] }}
        title={name}
        note={STATE_PRESENTATION[state].label}
      />
      <Box
        href={`${href}?tab=desired`}
        {...{ y: boxY, column: COLUMNS.loadBalancer, status, absent: loadBalancer === undefined }}
        title={loadBalancer?.id ?? t`No load balancer`}
        note={
          loadBalancer === undefined
            ? t`in the cloud`
            : [loadBalancer.addresses[0] ?? loadBalancer.type, status.label].join(" · ")
        }
      />
      {drawn.listeners.map(({ item, y: top }) => (
        <Pill
          key={listenerText(item)}
          {...{ href: `${href}?tab=desired`, y: top, column: COLUMNS.listeners }}
          status={item.differs ? DRIFT_PRESENTATION.drifted : DRIFT_PRESENTATION.inStep}
          text={listenerText(item)}
        />
      ))}
      {drawn.members.map(({ item: { verdict, count }, y: top }) => (
        <Pill
          key={verdict}
          {...{ href: `${href}?tab=members`, y: top, column: COLUMNS.members }}
          status={count === 0 ? STATE_PRESENTATION.stuck : VERDICT_PRESENTATION[verdict]}
          text={memberCount(verdict, count)}
        />
      ))}
      <Others drawn={drawn} />
    </g>
  );
}

/** The nodes that are not simply in, below the Service that they belong to. */
function Others({ drawn: { others, more } }: { readonly drawn: DrawnService }) {
  const cluster = useClusterId();
  const [first] = others;
  if (first === undefined) return null;
  return (
    <>
      <text className={styles.note} x={COLUMNS.service.x} y={first.y + 17}>
        {t`Nodes in other states`}
      </text>
      {others.map(({ item, x, y }) => (
        <Pill
          key={item.node}
          href={addresses.node(cluster, item.node)}
          {...{ y, column: { x, width: OTHER.width } }}
          status={VERDICT_PRESENTATION[item.verdict]}
          text={shortened(item.node, Math.floor((OTHER.width - 35) / NAME_CHARACTER))}
          title={`${item.node}: ${memberReason(item)}`}
        />
      ))}
      {more.item === 0 ? null : (
        <text className={styles.note} x={more.x + 9} y={more.y + 17}>
          {mixed`and ${formatCount(more.item)} more`}
        </text>
      )}
    </>
  );
}

/** The lines from the Service to its load balancer, from there to each listener, and from these to the members. */
function Edges({ drawn: { boxY, listeners, members, service } }: { readonly drawn: DrawnService }) {
  const level = boxY + BOX / 2;
  const rightOf = ({ x, width }: { readonly x: number; readonly width: number }) => x + width;
  const middles = listeners.map(({ y }) => y + PILL / 2);
  const ends = members.map(({ y }) => y + PILL / 2);
  const centre = ends.reduce((sum, y) => sum + y, 0) / ends.length;
  const hub = { x: COLUMNS.members.x - 24, y: centre };
  const paths = [
    edgePath({ x: rightOf(COLUMNS.service), y: level }, { x: COLUMNS.loadBalancer.x, y: level }),
    ...middles.map((y) =>
      edgePath({ x: rightOf(COLUMNS.loadBalancer), y: level }, { x: COLUMNS.listeners.x, y }),
    ),
    ...middles.map((y) => edgePath({ x: rightOf(COLUMNS.listeners), y }, hub)),
    ...(listeners.length === 0 ? [] : ends.map((y) => edgePath(hub, { x: COLUMNS.members.x, y }))),
  ];
  return paths.map((path) => (
    <path key={`${service.name} ${path}`} className={styles.edge} d={path} />
  ));
}

interface PlaceProps {
  readonly href: string;
  readonly y: number;
  readonly column: { readonly x: number; readonly width: number };
  readonly status: Presentation;
}

function Box({
  title,
  note,
  absent = false,
  ...place
}: PlaceProps & { readonly title: string; readonly note: string; readonly absent?: boolean }) {
  const { column, status } = place;
  return (
    <PlacedLink {...place} title={`${title}, ${note}`}>
      <rect className={styles.box} data-absent={absent} width={column.width} height={BOX} rx="8" />
      <g transform="translate(10 15)">
        <StatusIcon status={status} size={16} />
      </g>
      <text className={styles.strong} x="32" y="20">
        {shortened(title, Math.floor((column.width - 38) / STRONG_CHARACTER))}
      </text>
      <text className={styles.note} x="32" y="36">
        {shortened(note, Math.floor((column.width - 38) / NOTE_CHARACTER))}
      </text>
    </PlacedLink>
  );
}

function Pill({
  text,
  title = text,
  ...place
}: PlaceProps & { readonly text: string; readonly title?: string }) {
  const { column, status } = place;
  return (
    <PlacedLink {...place} title={title}>
      <rect className={styles.box} width={column.width} height={PILL} rx={PILL / 2} />
      <g transform="translate(9 6)">
        <StatusIcon status={status} size={14} />
      </g>
      <text className={styles.name} x="29" y="17">
        {text}
      </text>
    </PlacedLink>
  );
}

function PlacedLink({
  href,
  y,
  column,
  title,
  children,
}: PlaceProps & { readonly title: string; readonly children: ReactNode }) {
  return (
    <g transform={`translate(${column.x} ${y})`}>
      <Link className={styles.link} href={href} prefetch={false} tabIndex={-1}>
        <title>{title}</title>
        {children}
      </Link>
    </g>
  );
}
