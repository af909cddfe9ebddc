"use client";
import { type Intent, isReadable, type ListedIntent } from "@cloudwright/core/model/actions/intent";
import { t, worded } from "@cloudwright/core/model/language/text";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { SentenceText } from "../../components/evidence/sentence-text.tsx";
import { IdentityText } from "../../components/identity-text.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { TrailLinks, useTrailKeys } from "../../components/neighbours/neighbours.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState, ErrorState } from "../../components/page/panel-states.tsx";
import { PendingPage } from "../../components/page/pending-page.tsx";
import { useFailure } from "../../components/page/use-failure.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { ClockText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { CancelButton } from "../../platform/actions/cancel-button.tsx";
import {
  intentPresentation,
  listedResult,
  resultLanguage,
} from "../../platform/actions/listed-intent.ts";
import { LoopLines } from "../../platform/actions/loop-lines.tsx";
import { Differences } from "../../platform/actions/plan/differences.tsx";
import type { ShownPlan } from "../../platform/actions/plan/plan-facts.ts";
import { PlanText } from "../../platform/actions/plan/plan-text.tsx";
import { StepsLine } from "../../platform/actions/steps-line.tsx";
import { resultText } from "../../platform/actions/tray/tray-summary.ts";
import { useIntent } from "../../platform/actions/use-intent.ts";
import { WaitingApprovals } from "../../platform/approvals/waiting-approvals.tsx";
import { Comments } from "../../platform/comments/lazy-comments.tsx";
import { DocumentTitle } from "../../platform/shell/document-title.tsx";
import { listedTitle } from "../../platform/wording/action-title.ts";
import { WholeWhy } from "../../platform/wording/why-text.tsx";
import { ActionFacts } from "./action-facts.tsx";
import styles from "./action-page.module.css";
import { UnreadableFacts } from "./unreadable-action.tsx";

export function ActionPage({ id }: { readonly id: string }) {
  const cluster = useClusterId();
  const intent = useIntent(cluster, id);
  useTrailKeys();
  if (intent.data === undefined) {
    return <PendingPage title={t`Action`} query={intent} notFound={<Unknown />} />;
  }
  return <Action intent={intent.data} />;
}

function Unknown() {
  const cluster = useClusterId();
  return (
    <EmptyState isPage title={t`No such action is known in this cluster`}>
      {mixed`It may have been removed because it was old, or the address is incomplete.
        ${<Link href={addresses.actions(cluster)}>{t`Show all actions`}</Link>}.`}
    </EmptyState>
  );
}

function Action({ intent }: { readonly intent: ListedIntent }) {
  const cluster = useClusterId();
  const presentation = intentPresentation(intent);
  const result = isReadable(intent) ? resultText(intent) : listedResult(intent);
  return (
    <div className={page.scrolling}>
      <DocumentTitle title={`${listedTitle(intent)}, ${presentation.label}`} />
      <nav aria-label={t`Breadcrumbs and neighbours`} className={`flex gap-4 ${styles.crumbs}`}>
        <Link href={addresses.actions(cluster)}>{t`Actions`}</Link>
        <span className="push" />
        <TrailLinks />
      </nav>
      <header className="row">
        <h1 className={page.title}>{listedTitle(intent)}</h1>
        <StatusChip status={presentation} prominent />
        <span className="push" />
        <CancelButton intent={intent} appearance="plain" />
      </header>
      <p className="lead second" role="status" lang={resultLanguage(result, intent)}>
        <SentenceText text={result} />
      </p>
      {isReadable(intent) ? (
        <ReadAction intent={intent} />
      ) : (
        <div className={`${page.card} pad-4`}>
          <UnreadableFacts intent={intent} />
        </div>
      )}
      <ActionRecord id={intent.id} />
      <section className={page.card} aria-labelledby="comments">
        <h2 id="comments" className="card-title">
          {t`Comments`}
        </h2>
        <Comments about={{ kind: "action", id: intent.id }} />
      </section>
    </div>
  );
}

function ReadAction({ intent }: { readonly intent: Intent }) {
  return (
    <>
      {intent.state === "awaiting-approval" ? <WaitingApprovals only={intent.id} /> : null}
      <LoopsCard intent={intent} />
      <div className={`${page.card} pad-4`}>
        <StepsLine intent={intent} />
      </div>
      <div className={`${page.card} pad-4`}>
        <ActionFacts intent={intent} />
      </div>
      <ActionPlan intent={intent} />
    </>
  );
}

function LoopsCard({ intent }: { readonly intent: Intent }) {
  const cluster = useClusterId();
  if ((intent.loops?.length ?? 0) < 2) return null;
  return (
    <div className={`${page.card} pad-4`}>
      <LoopLines cluster={cluster} intent={intent} />
    </div>
  );
}

const SCANNED = 100;

/** The plan of a preview; for an action that was rejected because its plan had changed, the differences. */
function ActionPlan({ intent }: { readonly intent: Intent }) {
  const cluster = useClusterId();
  const { preview, action, planHash, kind } = intent;
  const isMoved = kind !== "preview" && preview !== undefined && preview.planHash !== planHash;
  const shown = useShownPlan(cluster, intent, isMoved);
  if (preview === undefined) return null;
  return (
    <section className={page.card} aria-labelledby="plan">
      <h2 id="plan" className="card-title">
        {isMoved ? t`The plan had changed` : t`Plan`}
      </h2>
      <div className="pad-4">
        {isMoved ? <Differences from={shown} to={preview} /> : null}
        <PlanText cluster={cluster} action={action} plan={preview} />
      </div>
    </section>
  );
}

/** Finds the confirmed preview among this object's latest ones. */
function useShownPlan(
  cluster: string,
  { object, planHash }: Intent,
  isWanted: boolean,
): ShownPlan | undefined {
  const api = useApi();
  const { kind, namespace, name } = object;
  const { data } = useQuery(
    api.intents.list.queryOptions(
      {
        cluster,
        filter: { object: { kind, namespace, name } },
        sort: { by: "requested", descending: true },
        limit: SCANNED,
      },
      { enabled: isWanted },
    ),
  );
  return data?.rows
    .filter(isReadable)
    .map(({ preview }) => preview)
    .find((plan) => plan?.planHash === planHash);
}

const AUDIT_LABELS: Readonly<Record<string, string>> = worded({
  "intent.request": () => t`requested it`,
  "intent.approve": () => t`approved it`,
  "intent.decline": () => t`declined it`,
  "intent.claim": () => t`claimed it`,
  "intent.end": () => t`ended it`,
  "node.initialise": () => t`initialised the node`,
  "node.addresses": () => t`wrote the node's addresses`,
  "node.labels": () => t`wrote the node's labels`,
  "node.shutdown-taint": () => t`changed the shutdown taint`,
  "node.delete": () => t`deleted the node`,
  "node.hold": () => t`held the node`,
  "node.release": () => t`released the node`,
  "node.override": () => t`overrode the taint`,
  "node.override-end": () => t`put the taint back`,
  "controller.pause": () => t`paused the controller`,
  "controller.resume": () => t`resumed the controller`,
  "guard.release": () => t`released the deletions`,
  "setting.change": () => t`changed the setting`,
  "account.comment-add": () => t`commented on it`,
  "account.comment-withdraw": () => t`withdrew a comment`,
});

/** The results of an action's audit entries, from its request to its end. */
const RESULTS: Readonly<Record<string, string>> = worded({
  applied: () => t`applied`,
  refused: () => t`refused`,
  failed: () => t`failed`,
  unknown: () => t`unknown`,
});

function ActionRecord({ id }: { readonly id: string }) {
  const cluster = useClusterId();
  const api = useApi();
  const audit = useQuery(
    api.audit.list.queryOptions({
      cluster,
      filter: { intentId: id },
      sort: { by: "inserted", descending: false },
      limit: 100,
    }),
  );
  const failure = useFailure(audit);
  return (
    <section className={page.card} aria-labelledby="record">
      <h2 id="record" className="card-title">
        {t`Record`}
      </h2>
      {failure === undefined ? null : (
        <div className="pad-4">
          <ErrorState {...failure} />
        </div>
      )}
      {audit.data?.rows.length === 0 ? (
        <p className={`pad-4 ${styles.nothing}`}>{t`No audit entry has arrived yet.`}</p>
      ) : null}
      <ol>
        {audit.data?.rows.map((entry) => (
          <li key={entry.id} className={`grid gap-1-4 pad-2-4 ${styles.entry}`}>
            <ClockText at={entry.at} />
            <span>
              <strong>
                <IdentityText identity={entry.actor.name} />
              </strong>{" "}
              {AUDIT_LABELS[entry.action] ?? entry.action}
            </span>
            <span className={styles.why}>
              <WholeWhy entry={entry} />
            </span>
            <span>{RESULTS[entry.result] ?? entry.result}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
