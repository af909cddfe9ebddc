"use client";
import type { Intent } from "@cloudwright/core/model/actions/intent";
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
import { titleOfMany } from "../actions/bulk-title.ts";
import { CancelButton } from "../actions/cancel-button.tsx";
import { GatedButton } from "../actions/gated-button.tsx";
import { actionTitle } from "../wording/action-title.ts";
import { type WaitingGroup, waitingGroups } from "./waiting-groups.ts";
import styles from "./waiting-list.module.css";

const loadOne = () => import("./approval-dialog.tsx").then(({ ApprovalDialog }) => ApprovalDialog);
const loadMany = () =>
  import("./batch-approval-dialog.tsx").then(({ BatchApprovalDialog }) => BatchApprovalDialog);

/**
 * Waiting actions, one sentence per batch, with the way to decide. The dialog stays open when another user has decided in the meantime, and
 * says so.
 */
export function WaitingList({
  waiting,
  most,
  isAlone,
}: {
  readonly waiting: readonly WaitingApproval[];
  readonly most: number;
  /** Set on the action's own page, which has the button that withdraws it. */
  readonly isAlone: boolean;
}) {
  const [reviewed, setReviewed] = useState<readonly Intent[]>([]);
  return (
    <>
      <Waiting {...{ waiting, most, isAlone }} onReview={setReviewed} />
      <Review key={reviewed[0]?.id} intents={reviewed} onClose={() => setReviewed([])} />
    </>
  );
}

function Review({
  intents,
  onClose,
}: {
  readonly intents: readonly Intent[];
  readonly onClose: () => void;
}) {
  const [first] = intents;
  const isOne = intents.length === 1;
  const One = useFetched(loadOne, isOne || undefined);
  const Many = useFetched(loadMany, intents.length > 1 || undefined);
  if (first === undefined) return null;
  if (isOne) return One === undefined ? null : <One intent={first} onClose={onClose} />;
  return Many === undefined ? null : <Many intents={intents} onClose={onClose} />;
}

function Waiting({
  waiting,
  most,
  isAlone,
  onReview,
}: {
  readonly waiting: readonly WaitingApproval[];
  readonly most: number;
  /** Set on the action's own page, which has the button that withdraws it. */
  readonly isAlone: boolean;
  readonly onReview: (intents: readonly Intent[]) => void;
}) {
  const id = useId();
  const cluster = useClusterId();
  const groups = waitingGroups(waiting);
  if (groups.length === 0) return null;
  const others = groups.slice(most).reduce((sum, { intents }) => sum + intents.length, 0);
  return (
    <section className={`stack pad-2-3 round-small ${page.note}`} aria-labelledby={id}>
      <h2 id={id} className="body-size bold">
        {t`Waiting for approval`}
      </h2>
      <ul className="stack">
        {groups.slice(0, most).map(({ key, ...group }) => (
          <WaitingLine key={key} {...group} {...{ isAlone, onReview }} />
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
  intents,
  isOwn,
  whyNot,
  isAlone,
  onReview,
}: Omit<WaitingGroup, "key"> & {
  readonly isAlone: boolean;
  readonly onReview: (intents: readonly Intent[]) => void;
}) {
  const { id, cluster, actor, why, requestedAt, expiresAt, batch } = intent;
  const isBatch = intents.length > 1;
  const title = isBatch ? titleOfMany(intent, intents.length) : actionTitle(intent);
  const address =
    isBatch && batch !== undefined
      ? addresses.batch(cluster, batch)
      : addresses.action(cluster, id);
  const link = (
    <Link href={address} prefetch={false}>
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
            ? mixed`It is waiting for another user's approval. Requested ${<TimeText at={requestedAt} />},
              expires ${<TimeText at={expiresAt} />}.`
            : mixed`Requested ${<TimeText at={requestedAt} />}, expires
              ${<TimeText at={expiresAt} />}.`}
        </span>
      </span>
      <span className="buttons centred">
        {isOwn && !isAlone && !isBatch ? <CancelButton intent={intent} appearance="plain" /> : null}
        {isOwn ? null : (
          <GatedButton
            whyNot={whyNot}
            aria-label={t`Review: ${title}`}
            onClick={() => onReview(intents)}
          >
            {t`Review…`}
          </GatedButton>
        )}
      </span>
    </li>
  );
}
