"use client";
import { formatDuration } from "@cloudwright/core/model/duration";
import { STATES } from "@cloudwright/core/model/state";
import type { OverviewView } from "@cloudwright/store/overview-views";
import Link from "next/link";
import { keepUnits } from "../../components/presentation/keep-units.ts";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusIcon } from "../../components/status-icon.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { formatCount, presentNodes } from "../nodes/nodes-sentence.ts";
import styles from "./overview.module.css";
import { Panel } from "./panel.tsx";

const SHOWN = STATES.filter((state) => state !== "gone");

/** How many nodes there are, in which states, and how long they take to become usable. */
export function NodesPanel({
  cluster,
  view,
}: {
  readonly cluster: string;
  readonly view: OverviewView;
}) {
  const { nodes, fleet } = view;
  const all = presentNodes(nodes);
  return (
    <Panel title="Nodes" aside={<span className={styles.figure}>{formatCount(all)}</span>}>
      <div className={styles.share} aria-hidden="true">
        {SHOWN.filter((state) => nodes[state] > 0).map((state) => (
          <span
            key={state}
            data-tone={STATE_PRESENTATION[state].tone}
            data-state={state}
            style={{ flexGrow: nodes[state] }}
          />
        ))}
      </div>
      <ul className={styles.states}>
        {SHOWN.filter((state) => nodes[state] > 0 || state === "ok" || state === "stuck").map(
          (state) => (
            <li key={state}>
              <Link href={`${addresses.nodes(cluster)}?state=${state}`}>
                <StatusIcon status={STATE_PRESENTATION[state]} size={14} />
                {STATE_PRESENTATION[state].label}
                <strong>{formatCount(nodes[state])}</strong>
              </Link>
            </li>
          ),
        )}
      </ul>
      <p className={styles.quiet}>
        {fleet === undefined
          ? "No node has been initialised in the last 7 days."
          : keepUnits(
              `From registered to initialised: half within ${formatDuration(fleet.p50Ms)}, 95 % within ${formatDuration(fleet.p95Ms)} (${formatCount(fleet.nodes)} nodes, 7 days).`,
            )}
      </p>
    </Panel>
  );
}
