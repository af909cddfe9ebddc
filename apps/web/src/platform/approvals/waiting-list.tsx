"use client";
import type { Intent } from "@cloudwright/core/model/intent";
import { t } from "@cloudwright/core/model/language/text";
import type { WaitingApproval } from "@cloudwright/store/views/approvals";
import { useId, useState } from "react";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useFetched } from "../../components/use-fetched.ts";
import { CancelButton } from "../actions/cancel-button.tsx";
import { GatedButton } from "../actions/gated-button.tsx";
import { actionTitle } from "../wording/action-title.ts";
import styles from "./waiting-list.module.css";

const load = () => import("./approval-dialog.tsx").then(({ ApprovalDialog }) => ApprovalDialog);

/** What waits, each in one sentence, with the way to decide. The dialog stays when somebody else has decided meanwhile, and says so. */
export function WaitingList({
  waiting,
  most,
  isAlone,
}: {
  readonly waiting: readonly WaitingApproval[];
  readonly most: number;
  /** On the page of the action, which has the button that withdraws it. */
  readonly isAlone: boolean;
}) {
  const [reviewed, setReviewed] = useState<Intent>();
  const Dialog = useFetched(load, reviewed);
  return (
    <>
      <Waiting {...{ waiting, most, isAlone }} onReview={setReviewed} />
      {Dialog === undefined || reviewed === undefined ? null : (
        <Dialog key={reviewed.id} intent={reviewed} onClose={() => setReviewed(undefined)} />
      )}
    </>
  );
}

function Waiting({
  waiting,
  most,
  isAlone,
  onReview,
}: {
  readonly waiting: readonly WaitingApproval[];
  readonly most: number;
  /** On the page of the action, which has the button that withdraws it. */
  readonly isAlone: boolean;
  readonly onReview: (intent: Intent) => void;
}) {
  const id = useId();
  const cluster = useClusterId();
  if (waiting.length === 0) return null;
  const others = waiting.length - most;
  return (
    <section className={`stack pad-2-3 round-small ${page.note}`} aria-labelledby={id}>
      <h2 id={id} className="body-size bold">
        {t`Waiting for approval`}
      </h2>
      <ul className="stack">
        {waiting.slice(0, most).map((each) => (
          <WaitingLine key={each.intent.id} {...each} {...{ isAlone, onReview }} />
        ))}
      </ul>
      {others > 0 ? (
        <p className="small">
          <Link href={addresses.actions(cluster)}>
            {others === 1
              ? t`One more in the list of actions`
              : t`${others} more in the list of actions`}
          </Link>
        </p>
      ) : null}
    </section>
  );
}

function WaitingLine({
  intent,
  isOwn,
  whyNot,
  isAlone,
  onReview,
}: WaitingApproval & {
  readonly isAlone: boolean;
  readonly onReview: (intent: Intent) => void;
}) {
  const { id, cluster, actor, why, requestedAt, expiresAt } = intent;
  const title = actionTitle(intent);
  const link = (
    <Link href={addresses.action(cluster, id)} prefetch={false}>
      {`${title.charAt(0).toLowerCase()}${title.slice(1)}`}
    </Link>
  );
  return (
    <li className={`flex wrap apart gap-1-4 ${styles.line}`}>
      <span className={`narrows break ${styles.sentence}`}>
        {isOwn
          ? mixed`${<strong>{t`You`}</strong>} want to ${link}: ${why}`
          : mixed`${<strong>{actor}</strong>} wants to ${link}: ${why}`}
        <span className="block small second">
          {isOwn
            ? mixed`It waits for another person's approval. Requested
              ${<TimeText at={requestedAt} />}, expires ${<TimeText at={expiresAt} />}.`
            : mixed`Requested ${<TimeText at={requestedAt} />}, expires
              ${<TimeText at={expiresAt} />}.`}
        </span>
      </span>
      <span className="buttons centred">
        {isOwn && isAlone ? null : isOwn ? (
          <CancelButton intent={intent} appearance="plain" />
        ) : (
          <GatedButton
            whyNot={whyNot}
            aria-label={t`Review: ${title}`}
            onClick={() => onReview(intent)}
          >
            {t`Review…`}
          </GatedButton>
        )}
      </span>
    </li>
  );
}
