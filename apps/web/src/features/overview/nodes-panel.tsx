"use client";
import { formatDuration } from "@cloudwright/core/model/duration";
import type { OverviewView } from "@cloudwright/store/overview-views";
import { Panel } from "../../components/panel.tsx";
import { formatCount } from "../../components/presentation/format-count.ts";
import { keepUnits } from "../../components/presentation/keep-units.ts";
import { addresses } from "../../components/url/addresses.ts";
import { coverageSentence } from "../../platform/wording/health-words.ts";
import { presentNodes } from "../../platform/wording/nodes-sentence.ts";
import styles from "./overview.module.css";
import { StateShare } from "./state-share.tsx";

/** How many nodes there are, in which states, and how long they take to become usable. */
export function NodesPanel({
  cluster,
  view,
}: {
  readonly cluster: string;
  readonly view: OverviewView;
}) {
  const { nodes, fleet, health } = view;
  const coverage = coverageSentence(health);
  const all = Math.max(presentNodes(nodes), health.coverage.Node.present);
  return (
    <Panel title="Nodes" aside={<span className={styles.figure}>{formatCount(all)}</span>}>
      <StateShare counts={nodes} list={addresses.nodes(cluster)} />
      {coverage === "" ? null : <p className={styles.strong}>{coverage}</p>}
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
