"use client";
import { t } from "@cloudwright/core/model/language/text";
import { STATES } from "@cloudwright/core/model/state";
import type { OverviewView } from "@cloudwright/store/views/overview";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { Panel } from "../../components/page/panel.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { DRIFT_PRESENTATION, STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusIcon } from "../../components/status/status-icon.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { countOf } from "../../platform/wording/action-title.ts";
import { presentNodes } from "../../platform/wording/nodes-sentence.ts";
import styles from "./overview.module.css";

/** Unfinished work, counted by node: routes are counted as routes, and nothing else is. */
const UNFINISHED = STATES.filter((state) => state !== "ok" && state !== "gone");

/** How many routes there are, their states and how full the tables are; nothing in a cluster without routes. */
export function RoutesPanel({ routes }: { readonly routes: OverviewView["routes"] }) {
  const cluster = useClusterId();
  const { states, wanted, inStep: inSync, stale, foreign, tables } = routes;
  if (presentNodes(states) + tables === 0) return null;
  const missing = wanted - inSync;
  const list = addresses.routes(cluster);
  return (
    <Panel
      title={t`Routes`}
      aside={<span className={`heavy tight figures ${styles.figure}`}>{formatCount(wanted)}</span>}
    >
      <ul className={`flex wrap gap-1-4 ${styles.states}`}>
        <li>
          <Link href={list}>
            {mixed`${<StatusIcon status={DRIFT_PRESENTATION.inStep} size={14} />}In sync
              ${<strong>{formatCount(inSync)}</strong>}`}
          </Link>
        </li>
        <li>
          <Link href={`${list}?drift=drifted`}>
            {mixed`${(
              <StatusIcon
                status={DRIFT_PRESENTATION[missing === 0 ? "inStep" : "drifted"]}
                size={14}
              />
            )}Not in sync ${<strong>{formatCount(missing)}</strong>}`}
          </Link>
        </li>
        {UNFINISHED.filter((state) => states[state] > 0).map((state) => (
          <li key={state}>
            <Link href={`${list}?state=${state}`}>
              {mixed`${<StatusIcon status={STATE_PRESENTATION[state]} size={14} />}${STATE_PRESENTATION[state].label}
                on ${countOf(states[state], "node")}`}
            </Link>
          </li>
        ))}
        {stale === 0 ? null : (
          <li>
            <Link href={`${list}?show=stale`}>
              {mixed`Without a node ${<strong>{formatCount(stale)}</strong>}`}
            </Link>
          </li>
        )}
        {foreign === 0 ? null : (
          <li>
            <Link href={`${list}?show=foreign`}>
              {mixed`Not ours ${<strong>{formatCount(foreign)}</strong>}`}
            </Link>
          </li>
        )}
      </ul>
      <TablesLine routes={routes} />
    </Panel>
  );
}

/** `25 tables; rtb-c holds 50 of 50.` */
function TablesLine({ routes: { tables, fullest } }: { readonly routes: OverviewView["routes"] }) {
  if (tables === 0) return null;
  return (
    <p className="quiet small">
      {fullest === undefined
        ? t`${countOf(tables, "table")}.`
        : t`${countOf(tables, "table")}; ${fullest.name} holds ${formatCount(fullest.used)} of ${formatCount(fullest.most)}.`}
      {fullest !== undefined && fullest.used >= fullest.most ? (
        <strong className="strong"> {t`No more nodes fit.`}</strong>
      ) : null}
    </p>
  );
}
