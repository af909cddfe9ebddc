"use client";
import type { OverviewView } from "@cloudwright/store/overview-views";
import { Link } from "../../components/link.tsx";
import { Panel } from "../../components/panel.tsx";
import { formatCount } from "../../components/presentation/format-count.ts";
import { DRIFT_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusIcon } from "../../components/status-icon.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { presentNodes } from "../../platform/wording/nodes-sentence.ts";
import styles from "./overview.module.css";
import { StateShare } from "./state-share.tsx";

/** How many load balancers there are and how they are; nothing in a cluster that has none. */
export function BalancersPanel({
  cluster,
  balancers: { states, drifted, orphans },
}: {
  readonly cluster: string;
  readonly balancers: OverviewView["balancers"];
}) {
  const all = presentNodes(states);
  if (all === 0 && orphans === 0) return null;
  const list = addresses.balancers(cluster);
  return (
    <Panel title="Load balancers" aside={<span className={styles.figure}>{formatCount(all)}</span>}>
      <StateShare counts={states} list={list} />
      <ul className={styles.states}>
        <li>
          <Link href={`${list}?drift=drifted`}>
            <StatusIcon
              status={drifted === 0 ? DRIFT_PRESENTATION.inStep : DRIFT_PRESENTATION.drifted}
              size={14}
            />
            Drifted <strong>{formatCount(drifted)}</strong>
          </Link>
        </li>
        <li>
          <Link href={addresses.orphans(cluster)}>
            Orphans in the cloud <strong>{formatCount(orphans)}</strong>
          </Link>
        </li>
      </ul>
    </Panel>
  );
}
