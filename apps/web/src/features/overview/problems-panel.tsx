"use client";
import { t } from "@cloudwright/core/model/language/text";
import { advice } from "@cloudwright/core/model/sentence";
import type { State } from "@cloudwright/core/model/state";
import type { ClusterHealth } from "@cloudwright/store/views/health";
import type { Problem } from "@cloudwright/store/views/overview";
import { CauseText, WholeCause } from "../../components/evidence/sentence-text.tsx";
import { useIsOld } from "../../components/freshness/freshness.ts";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { ObjectLink } from "../../components/object-link.tsx";
import { Panel } from "../../components/page/panel.tsx";
import { formatCount, keepUnits } from "../../components/presentation/format-text.ts";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { StatusIcon } from "../../components/status/status-icon.tsx";
import { NextTry, SinceText } from "../../components/time/time-text.tsx";
import { objectAddress } from "../../components/url/object-address.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { isAwaited, isWhole } from "../../platform/wording/health-messages.ts";
import { problemTitle } from "../../platform/wording/overview-messages.ts";
import { OtherNeedRow, useOtherNeeds } from "./other-needs.tsx";
import styles from "./overview.module.css";
import { ProblemActions } from "./problem-actions.tsx";

/** Everything that needs a user, in one place: objects first, ordered by duration and extent, with one row per cause. */
export function ProblemsPanel({
  problems,
  health,
}: {
  readonly problems: readonly Problem[];
  readonly health: ClusterHealth;
}) {
  const others = useOtherNeeds();
  const isNeeded = problems.length > 0 || others.some(({ isForUser }) => isForUser);
  return (
    <Panel title={t`Needs you`}>
      {isNeeded ? null : <NothingNeeded health={health} />}
      {problems.length + others.length === 0 ? null : (
        <ol className={styles.problems} aria-label={t`Needs you`}>
          {problems.map((problem) => (
            <ProblemRow
              key={problem.id}
              problem={problem}
              isShared={problems.filter((other) => isAlike(other, problem)).length > 1}
            />
          ))}
          {others.map((need) => (
            <OtherNeedRow key={need.id} need={need} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

/** Shows a tick only if everything in the cluster is currently known, because what was not observed may not be well. */
function NothingNeeded({ health }: { readonly health: ClusterHealth }) {
  const [state, text] = nothingNeeded(health, useIsOld());
  return (
    <p className="flex centred gap-2 second">
      <StatusIcon status={STATE_PRESENTATION[state]} size={18} />
      {text}
    </p>
  );
}

function nothingNeeded(health: ClusterHealth, isOld: boolean): readonly [State, string] {
  if (isOld)
    return ["unknown", t`Nothing needed you when this was read. The current state is unknown.`];
  if (isWhole(health)) {
    return ["ok", t`Nothing needs you. Anything that is waiting or under way resumes by itself.`];
  }
  if (isAwaited(health.coverage.Node)) return ["working", t`No node has been reported yet.`];
  const state = health.alarms.length > 0 ? "unknown" : "working";
  return [state, t`Nothing that has reported needs you, but not everything has: see the headline.`];
}

function isAlike(left: Problem, right: Problem): boolean {
  return left.kind === right.kind && left.code === right.code;
}

function ProblemRow({
  problem,
  isShared,
}: {
  readonly problem: Problem;
  readonly isShared: boolean;
}) {
  const [oldest] = problem.members;
  if (oldest === undefined) return null;
  const isOne = problem.count === 1;
  return (
    <li className={`grid gap-2-4 pad-3-4 line-above ${styles.problem}`}>
      <div className="grid narrows gap-1 from-top">
        <StatusChip status={STATE_PRESENTATION[problem.kind]}>
          <SinceText at={problem.since} />
        </StatusChip>
        {isOne ? (
          <ProblemLink problem={problem} name={oldest.name} />
        ) : (
          <span className="break heavy ink">{problemTitle(problem)}</span>
        )}
      </div>
      <div className="grid narrows gap-1 break">
        <p>
          {isOne
            ? mixed`${<WholeCause reason={oldest.reason} />}.`
            : problem.count === 2
              ? mixed`${<WholeCause reason={oldest.reason} />}, and one more like it.`
              : mixed`${<WholeCause reason={oldest.reason} />}, and ${formatCount(problem.count - 1)} more like it.`}
        </p>
        <p className="quiet small">
          {keepUnits(advice(oldest.reason))}
          {oldest.nextAt === undefined ? null : (
            <>
              {" "}
              <NextTry at={oldest.nextAt} />
            </>
          )}
        </p>
        {isOne ? null : <Members problem={problem} />}
      </div>
      <ProblemActions problem={problem} isShared={isShared} />
    </li>
  );
}

function ProblemLink({ problem, name }: { readonly problem: Problem; readonly name: string }) {
  const cluster = useClusterId();
  const href = objectAddress(cluster, { kind: problem.of, name });
  const title = problemTitle(problem);
  if (href === undefined) return <span className="break heavy ink">{title}</span>;
  return (
    <Link className="break heavy ink" href={href}>
      {title}
    </Link>
  );
}

/** The oldest affected objects by name, each with its own details. */
function Members({ problem }: { readonly problem: Problem }) {
  const { of, members, count } = problem;
  return (
    <details className={styles.members}>
      <summary>
        {count > members.length
          ? t`The oldest ${members.length} of ${formatCount(count)}`
          : t`Which ${formatCount(count)}`}
      </summary>
      <ul>
        {members.map(({ name, since, reason }) => (
          <li key={name}>
            <ObjectLink object={{ kind: of, name }} />{" "}
            <span className="quiet small">
              <SinceText at={since} /> · <CauseText reason={reason} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
