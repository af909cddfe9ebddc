"use client";
import type { Intent } from "@cloudwright/core/model/intent";
import type { WaitingApproval } from "@cloudwright/store/views/approvals";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useApi } from "../../components/api.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useFetched } from "../../components/use-fetched.ts";
import { CancelButton } from "../actions/cancel-button.tsx";
import { GatedButton } from "../actions/gated-button.tsx";
import { actionTitle } from "../wording/action-title.ts";
import styles from "./waiting-approvals.module.css";

/** What waits passes by itself while nothing is reported. */
const REFETCH_MS = 30_000;

const load = () => import("./approval-dialog.tsx").then(({ ApprovalDialog }) => ApprovalDialog);

/**
 * Who wants what and waits for another person, with the way to decide; nothing where nobody waits. `most`: how many are shown, with a
 * link to the others. `only`: the one of this id.
 */
export function WaitingApprovals({
  most = Number.POSITIVE_INFINITY,
  only,
}: {
  readonly most?: number;
  readonly only?: string;
}) {
  const api = useApi();
  const cluster = useClusterId();
  const { data = [] } = useQuery(
    api.approvals.waiting.queryOptions({ cluster }, { refetchInterval: REFETCH_MS }),
  );
  // The dialog stays when somebody else has decided meanwhile, and says so.
  const [reviewed, setReviewed] = useState<Intent>();
  const Dialog = useFetched(load, reviewed);
  const waiting = data.filter(({ intent }) => only === undefined || intent.id === only);
  return (
    <>
      <Waiting {...{ waiting, most }} isAlone={only !== undefined} onReview={setReviewed} />
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
        Waiting for approval
      </h2>
      <ul className="stack">
        {waiting.slice(0, most).map((each) => (
          <WaitingLine key={each.intent.id} {...each} {...{ isAlone, onReview }} />
        ))}
      </ul>
      {others > 0 ? (
        <p className="small">
          <Link href={addresses.actions(cluster)}>
            {others === 1 ? "One more" : `${others} more`} in the list of actions
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
  return (
    <li className={`flex wrap apart gap-1-4 ${styles.line}`}>
      <span className={`narrows break ${styles.sentence}`}>
        <strong>{isOwn ? "You" : actor}</strong> {isOwn ? "want" : "wants"} to{" "}
        <Link href={addresses.action(cluster, id)} prefetch={false}>
          {`${title.charAt(0).toLowerCase()}${title.slice(1)}`}
        </Link>
        : {why}
        <span className="block small second">
          {isOwn ? "It waits for another person's approval. " : null}
          Requested <TimeText at={requestedAt} />, expires <TimeText at={expiresAt} />.
        </span>
      </span>
      <span className="buttons centred">
        {isOwn && isAlone ? null : isOwn ? (
          <CancelButton intent={intent} appearance="plain" />
        ) : (
          <GatedButton
            whyNot={whyNot}
            aria-label={`Review: ${title}`}
            onClick={() => onReview(intent)}
          >
            Review…
          </GatedButton>
        )}
      </span>
    </li>
  );
}
