"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import type { ReactNode } from "react";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import {
  INTENT_PRESENTATION,
  OUTCOME_PRESENTATION,
} from "../../components/presentation/outcomes.ts";
import {
  DRIFT_PRESENTATION,
  type Presentation,
  STATE_PRESENTATION,
} from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import {
  useWaitingApprovals,
  WaitingApprovals,
} from "../../platform/approvals/waiting-approvals.tsx";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { GapText } from "../../platform/runs/gap-notes.tsx";
import { waitingSentence } from "../../platform/wording/overview-messages.ts";
import { quotaSentence } from "../../platform/wording/quota-messages.ts";
import styles from "./overview.module.css";

/** Something to know or decide, other than an object with a problem. */
export interface OtherNeed {
  readonly id: string;
  readonly status: Presentation;
  readonly title: string;
  readonly cause: ReactNode;
  readonly action: ReactNode;
  /** Whether a user has to act; the others are only for information. */
  readonly isForUser: boolean;
}

/** Returns the worst first: what waits for somebody, what will soon be refused, what is lost, what acts unusually. */
export function useOtherNeeds(): readonly OtherNeed[] {
  const cluster = useClusterId();
  const { data } = useCluster(cluster);
  const approvals = useWaitingApprovals(cluster).length;
  return [...(approvals === 0 ? [] : [APPROVALS]), ...(data === undefined ? [] : needsOf(data))];
}

function needsOf(cluster: ClusterView): readonly OtherNeed[] {
  return [...ofTakeover(cluster), ...ofQuotas(cluster), ...ofGaps(cluster), ...ofDryRun(cluster)];
}

export function OtherNeedRow({ need }: { readonly need: OtherNeed }) {
  const { status, title, cause, action } = need;
  return (
    <li className={`grid gap-2-4 pad-3-4 line-above ${styles.problem}`}>
      <div className="grid narrows gap-1 from-top">
        <StatusChip status={status} />
        <span className="break heavy ink">{title}</span>
      </div>
      <div className="grid narrows gap-1 break">{cause}</div>
      <span className={styles.problemActions}>{action}</span>
    </li>
  );
}

const APPROVALS: OtherNeed = {
  id: "approvals",
  status: INTENT_PRESENTATION["awaiting-approval"],
  get title() {
    return t`Actions`;
  },
  cause: <WaitingApprovals most={3} />,
  action: null,
  isForUser: true,
};

/** Load balancers or routes of an earlier manager that wait for consent. */
function ofTakeover({ id, waiting }: ClusterView): readonly OtherNeed[] {
  const sentence = waitingSentence(waiting);
  if (sentence === undefined) return [];
  return [
    {
      ...{ id: "takeover", status: AWAITS_CONSENT, title: t`Takeover`, isForUser: true },
      cause: <p>{t`${sentence}.`}</p>,
      action: <Link href={addresses.takeover(id)}>{t`Show what is waiting`}</Link>,
    },
  ];
}

const AWAITS_CONSENT: Presentation = {
  ...INTENT_PRESENTATION["awaiting-approval"],
  get label() {
    return t`Awaiting consent`;
  },
  get help() {
    return t`It is not changed before an admin gives consent.`;
  },
};

/** Quotas that are so full that the cloud will soon refuse to create more. */
function ofQuotas({ id, leader }: ClusterView): readonly OtherNeed[] {
  const sentence = quotaSentence(leader?.cloud?.quotas);
  if (sentence === "") return [];
  return [
    {
      ...{ id: "quotas", status: NEARLY_USED, title: t`Quotas of the cloud`, isForUser: true },
      cause: <p>{sentence}</p>,
      action: <Link href={addresses.budget(id)}>{t`Show the quotas`}</Link>,
    },
  ];
}

const NEARLY_USED: Presentation = {
  ...DRIFT_PRESENTATION.drifted,
  get label() {
    return t`Nearly used up`;
  },
  get help() {
    return t`The cloud refuses to create anything beyond its quota.`;
  },
};

/** Records that the ledger lost; which objects they were about is unknown. */
function ofGaps({ id: cluster, gaps }: ClusterView): readonly OtherNeed[] {
  return gaps.map((gap) => ({
    ...{ id: `gap ${gap.id}`, status: STATE_PRESENTATION.unknown, title: t`Lost records` },
    cause: (
      <p>
        <GapText gap={gap} />
      </p>
    ),
    action: <Link href={addresses.runsWithin(cluster, gap, "")}>{t`Show runs of that time`}</Link>,
    isForUser: false,
  }));
}

/** A controller in dry run beside the one that acts. */
function ofDryRun({ id, instances }: ClusterView): readonly OtherNeed[] {
  const shadow = instances.find(({ dryRun }) => dryRun);
  if (shadow === undefined) return [];
  return [
    {
      ...{ id: "dry-run", status: PLANS, title: t`Dry run`, isForUser: false },
      cause: (
        <p>
          {mixed`A controller is in dry run here, last heard from
            ${<TimeText at={shadow.heardAt} />}.`}
        </p>
      ),
      action: <Link href={addresses.dryRun(id)}>{t`Show what it would do`}</Link>,
    },
  ];
}

const PLANS: Presentation = {
  ...OUTCOME_PRESENTATION.unchanged,
  get label() {
    return t`Writes nothing`;
  },
  get help() {
    return t`In dry run a controller plans and records, and writes nothing.`;
  },
};
