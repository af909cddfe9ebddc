"use client";
import type { Problem, ProblemNode } from "@cloudwright/store/overview-views";
import Link from "next/link";
import { addresses } from "../../components/url/addresses.ts";
import { ActionButton } from "../actions/action-button.tsx";
import { guardRelease, type NodeTarget } from "../actions/action-choice.ts";
import { openDialog } from "../actions/dialog-store.ts";
import { GatedButton } from "../actions/gated-button.tsx";
import { RetryButton } from "../actions/retry-button.tsx";
import { useWhyNot } from "../actions/use-leave.ts";
import { formatCount } from "../nodes/nodes-sentence.ts";
import { useCluster } from "../shell/use-cluster.ts";
import styles from "./overview.module.css";

interface ProblemProps {
  readonly cluster: string;
  readonly problem: Problem;
}

interface ActionsProps extends ProblemProps {
  /** Another problem has the same reason; the list of nodes tells reasons apart, and no more. */
  readonly isShared: boolean;
}

/** What can be done about a problem from here, and the way to all that is known of it. */
export function ProblemActions({ cluster, problem, isShared }: ActionsProps) {
  const { kind, count, code, nodes } = problem;
  const [oldest] = nodes;
  const only = count === 1 ? oldest : undefined;
  const list = `${addresses.nodes(cluster)}?state=${kind}&reason=${code}`;
  return (
    <div className={styles.problemActions}>
      {kind === "held" ? (
        <ReleaseButton cluster={cluster} />
      ) : (
        <Retry cluster={cluster} problem={problem} />
      )}
      <Link
        className={styles.open}
        href={only === undefined ? list : addresses.node(cluster, only.name)}
      >
        {only === undefined ? openText(count, isShared) : "Open"}
        {only === undefined ? null : <span className="visually-hidden"> {only.name}</span>}
      </Link>
    </div>
  );
}

function openText(count: number, isShared: boolean): string {
  return isShared ? "Open all like it" : `Open all ${formatCount(count)}`;
}

/** Of many only those are retried that are named here: never whatever has the same trouble later. */
function Retry({ cluster, problem: { count, nodes } }: ProblemProps) {
  const whyNot = useWhyNot("retry");
  const targets = nodes.map((node) => targetOf(cluster, node));
  const [first] = targets;
  if (first === undefined) return null;
  if (count === 1) return <RetryButton target={first} />;
  const which = count > nodes.length ? `oldest ${nodes.length}` : String(count);
  return (
    <GatedButton
      look="primary"
      whyNot={whyNot}
      onClick={({ currentTarget }) =>
        openDialog({
          choice: { kind: "bulk-retry", cluster, targets, onDone: () => undefined },
          opener: currentTarget,
        })
      }
    >
      Retry {which}…
    </GatedButton>
  );
}

function ReleaseButton({ cluster }: { readonly cluster: string }) {
  const { data } = useCluster(cluster);
  const held = data?.leader?.controls?.guard?.held ?? [];
  if (held.length === 0) return null;
  return <ActionButton choice={guardRelease(cluster, held)}>Release…</ActionButton>;
}

function targetOf(cluster: string, { controller, name, uid }: ProblemNode): NodeTarget {
  return { cluster, controller, name, uid };
}
