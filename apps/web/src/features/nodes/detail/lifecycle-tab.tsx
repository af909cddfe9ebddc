"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t, worded } from "@cloudwright/core/model/language/text";
import { sentence } from "@cloudwright/core/model/sentence";
import type { NodeControllerState, NodeDetail } from "@cloudwright/store/views/node-detail";
import { RequestChip } from "../../../components/evidence/request-chip.tsx";
import { SentenceText } from "../../../components/evidence/sentence-text.tsx";
import { Fact } from "../../../components/facts/fact.tsx";
import { JsonView } from "../../../components/facts/json-view.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import styles from "../../../components/page/detail-page.module.css";
import page from "../../../components/page/page.module.css";
import { EmptyState } from "../../../components/page/panel-states.tsx";
import { OUTCOME_PRESENTATION } from "../../../components/presentation/outcomes.ts";
import { DRIFT_PRESENTATION, STATE_PRESENTATION } from "../../../components/presentation/states.ts";
import { StatusChip } from "../../../components/status/status-chip.tsx";
import { useNow } from "../../../components/time/ticker.ts";
import { SinceText, TimeText, useTimeLabels } from "../../../components/time/time-text.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { UnderneathText } from "./timeline-tab.tsx";

/** What each controller says about the node, and what the cloud says about its machine. */
export function LifecycleTab({ node }: { readonly node: NodeDetail }) {
  return (
    <>
      <section className={page.card} aria-label={t`The machine`}>
        <dl className={styles.machine}>
          <Fact label={t`Cloud says`}>
            {machineText(node)}
            {node.machine === undefined ? null : (
              <span className="quiet">
                <Asked machine={node.machine} />
              </span>
            )}
          </Fact>
          <Fact label={t`Kubelet says`}>{readyText(node)}</Fact>
          <Fact label={t`In the cluster`}>
            {node.goneAt === undefined ? t`yes` : mixed`no, gone ${<TimeText at={node.goneAt} />}`}
          </Fact>
        </dl>
        <RecordedAnswer node={node} />
      </section>
      {node.controllers.length === 0 ? (
        <EmptyState isCard title={t`No controller has reported on this node yet`} />
      ) : null}
      {node.controllers.map((state) => (
        <ControllerCard key={state.controller} name={node.row.name} state={state} />
      ))}
    </>
  );
}

/** The raw data behind the sentences above, for users who doubt them: an existing machine has its facts as well. */
function RecordedAnswer({ node: { machine, cloud } }: { readonly node: NodeDetail }) {
  if (machine === undefined) return null;
  const facts = machine.kind === "absent" ? undefined : cloud;
  return <JsonView value={{ ...machine, facts }} label={t`The cloud's answer`} />;
}

function Asked({
  machine: { asOf, requestId },
}: {
  readonly machine: NonNullable<NodeDetail["machine"]>;
}) {
  const at = <TimeText at={asOf} />;
  return requestId === undefined
    ? mixed` asked ${at}`
    : mixed` asked ${at} (request ${<RequestChip id={requestId} />})`;
}

/** The newest answer decides: the facts of a machine are meaningless once the cloud no longer has it. */
function machineText({ machine }: NodeDetail): string {
  if (machine === undefined) return t`not known`;
  return MACHINE[machine.kind];
}

const MACHINE: Readonly<Record<NonNullable<NodeDetail["machine"]>["kind"], string>> = worded({
  running: () => t`running`,
  stopped: () => t`stopped`,
  pending: () => t`pending`,
  absent: () => t`it does not exist`,
});

function readyText({ ready }: NodeDetail): string {
  if (ready === undefined) return t`not known`;
  return (
    { True: t`Ready`, False: t`not Ready`, Unknown: t`silent`, Missing: t`nothing yet` }[
      ready.status
    ] ?? ready.status
  );
}

function ControllerCard({
  name,
  state,
}: {
  readonly name: string;
  readonly state: NodeControllerState;
}) {
  const cluster = useClusterId();
  const now = useNow();
  const time = useTimeLabels();
  const text = sentence({
    object: { kind: "Node", name },
    state: state.state,
    reason: state.reason,
    sinceMs: state.since,
    nextAtMs: state.nextAt,
    nowMs: now,
    time,
  });
  return (
    <section className={`${page.card} stack pad-4`}>
      <header className={`row ${styles.controllerHead}`}>
        <h2>{controllerOf(state.controller).label}</h2>
        <StatusChip status={STATE_PRESENTATION[state.state]}>
          <SinceText at={state.since} />
        </StatusChip>
        <StatusChip status={DRIFT_PRESENTATION[state.drift]} />
        <span className="push" />
        <Link href={addresses.run(cluster, state.runId)} prefetch={false}>
          <StatusChip status={OUTCOME_PRESENTATION[state.outcome]}>
            <TimeText at={state.at} />
          </StatusChip>
        </Link>
      </header>
      <p>
        <SentenceText text={text.replaceAll("`", "")} />
      </p>
      {state.follows === undefined ? null : (
        <p className="quiet">
          {mixed`It follows from what ${controllerOf(state.follows).label} reports and needs no
            separate action.`}
        </p>
      )}
      {state.underneath === undefined ? null : <UnderneathText reason={state.underneath.reason} />}
      {state.failures > 0 ? (
        <p className="quiet">
          {state.failures === 1 ? t`1 failure in a row.` : t`${state.failures} failures in a row.`}
        </p>
      ) : null}
    </section>
  );
}
