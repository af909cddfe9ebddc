"use client";
import { ownerText } from "@cloudwright/core/model/cloud-texts/cloud-texts";
import { t } from "@cloudwright/core/model/language/text";
import type { RouteCell } from "@cloudwright/core/model/records/route-record";
import type { RouteRow, RouteTableView } from "@cloudwright/store/views/routes";
import { CopiedCode } from "../../components/button/copy-button.tsx";
import { Fact, Facts } from "../../components/facts/fact.tsx";
import { JustChanged } from "../../components/just-changed/just-changed.tsx";
import { LastRunChip } from "../../components/just-changed/record-chips.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { placedCells, tableName } from "./route-cells.ts";
import styles from "./route-facts.module.css";
import { VERDICT_PRESENTATION } from "./route-verdicts.ts";

/** Each pod range of a node with its route, desired beside actual, and what is written to the cluster about it. */
export function RouteFacts({
  of,
  row,
  first,
  tables,
}: {
  /** The node's UID. */
  readonly of: string;
  readonly row: Pick<RouteRow, "cells" | "condition" | "asOf" | "lastRun">;
  /** The pod range that comes first, and is highlighted. */
  readonly first?: string | undefined;
  readonly tables: readonly RouteTableView[] | undefined;
}) {
  const cluster = useClusterId();
  const { cells, condition, asOf, lastRun } = row;
  const ordered = [
    ...cells.filter(({ cidr }) => cidr === first),
    ...cells.filter(({ cidr }) => cidr !== first),
  ];
  return (
    <>
      {ordered.length === 0 ? (
        <p className="quiet light">{t`The node has no pod range, so it needs no route.`}</p>
      ) : null}
      {placedCells(ordered).map(({ key, cell }) => (
        <Cell
          key={key}
          of={of}
          cell={cell}
          isChosen={cell.cidr === first}
          table={cell.route === undefined ? undefined : tableName(tables, cell.route.table)}
        />
      ))}
      <Facts>
        <Fact label="NetworkUnavailable">
          <JustChanged of={of} value={conditionText(condition)} />
          {condition?.since === undefined ? null : (
            <> {mixed`since ${<TimeText at={condition.since} />}`}</>
          )}
        </Fact>
        <Fact label={t`Cloud checked`}>
          {asOf === undefined ? t`not yet` : <TimeText at={asOf} />}
        </Fact>
        <Fact label={t`Last run`}>
          <Link href={addresses.run(cluster, lastRun.id)} className="plain-link" prefetch={false}>
            <LastRunChip of={of} lastRun={lastRun} />
          </Link>
        </Fact>
      </Facts>
    </>
  );
}

function conditionText(condition: RouteRow["condition"]): string {
  return condition === undefined ? t`not set` : `${condition.status}, ${condition.reason}`;
}

function Cell({
  of,
  cell,
  isChosen,
  table,
}: {
  readonly of: string;
  readonly cell: RouteCell;
  readonly isChosen: boolean;
  readonly table: string | undefined;
}) {
  const { cidr, verdict, route, wantedNextHop, evidence } = cell;
  // A cloud may know the same machine by a different name than the node does.
  const differs = verdict !== "keep" && route !== undefined && route.nextHop !== wantedNextHop;
  return (
    <section
      className={`grid gap-3 pad-3-4 on-surface ${styles.route}`}
      aria-label={t`Route to ${cidr}`}
      aria-current={isChosen ? "true" : undefined}
    >
      <header className={`flex centred apart wrap ${styles.routeHead}`}>
        <CopiedCode strong text={cidr} label={t`Copy the pod range ${cidr}`} />
        <JustChanged of={of} value={verdict}>
          <StatusChip status={VERDICT_PRESENTATION[verdict]} />
        </JustChanged>
      </header>
      <Facts>
        <Fact label={t`Should lead to`}>
          <JustChanged of={of} value={wantedNextHop}>
            <CopiedCode text={wantedNextHop} label={t`Copy the wanted next hop ${wantedNextHop}`} />
          </JustChanged>
        </Fact>
        <Fact label={differs ? t`≠ Leads to` : t`Leads to`}>
          <JustChanged of={of} value={nextHopText(route)}>
            <NextHop route={route} />
          </JustChanged>
        </Fact>
        {route === undefined ? null : (
          <>
            <Fact label={t`Route`}>
              <CopiedCode text={route.id} label={t`Copy the route's ID ${route.id}`} />
            </Fact>
            <Fact label={t`Table`}>{table}</Fact>
            {route.owner === undefined ? null : (
              <Fact label={t`Belongs to`}>{ownerText(route.owner)}</Fact>
            )}
          </>
        )}
        {evidence === undefined ? null : <Fact label={t`Evidence`}>{evidence}</Fact>}
        <Fact label={t`Last change`}>
          <LastChange cell={cell} />
        </Fact>
      </Facts>
      {verdict === "foreign" ? (
        <p className="quiet light">{t`This route is not ours, and is left untouched.`}</p>
      ) : null}
    </section>
  );
}

function NextHop({ route }: Pick<RouteCell, "route">) {
  const text = nextHopText(route);
  return route?.nextHop === undefined ? (
    text
  ) : (
    <CopiedCode text={text} label={t`Copy the next hop ${text}`} />
  );
}

function nextHopText(route: RouteCell["route"]): string {
  return route === undefined ? t`no route` : (route.nextHop ?? t`nowhere`);
}

function LastChange({ cell: { changedAt, runId } }: { readonly cell: RouteCell }) {
  const cluster = useClusterId();
  if (changedAt === undefined) return <>{t`none by us`}</>;
  const when = <TimeText at={changedAt} />;
  if (runId === undefined) return when;
  const run = (
    <Link href={addresses.run(cluster, runId)} prefetch={false}>
      {t`run ${runId.slice(-8)}`}
    </Link>
  );
  return mixed`${when} in ${run}`;
}
