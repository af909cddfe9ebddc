"use client";
import type { Intent } from "@cloudwright/core/model/intent";
import { DocumentTitle } from "../../components/document-title.tsx";
import { SentenceText } from "../../components/evidence/sentence-text.tsx";
import { Link } from "../../components/link.tsx";
import page from "../../components/page.module.css";
import { FailedPage, PageSkeleton } from "../../components/panel-states.tsx";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { CancelButton } from "../../platform/actions/cancel-button.tsx";
import { LoopLines } from "../../platform/actions/loop-lines.tsx";
import { StepsLine } from "../../platform/actions/steps-line.tsx";
import { resultText } from "../../platform/actions/tray-summary.ts";
import { useIntent } from "../../platform/actions/use-intent.ts";
import { actionTitle } from "../../platform/wording/action-title.ts";
import { ActionFacts } from "./action-facts.tsx";
import styles from "./action-page.module.css";
import { ActionPlan } from "./action-plan.tsx";
import { ActionRecord } from "./action-record.tsx";

export function ActionPage({ cluster, id }: { readonly cluster: string; readonly id: string }) {
  const intent = useIntent(cluster, id);
  if (intent.data === undefined) {
    return (
      <div className={page.scrolling}>
        {intent.isError ? (
          <FailedPage title="Action" error={intent.error} retry={() => void intent.refetch()} />
        ) : (
          <PageSkeleton />
        )}
      </div>
    );
  }
  return <Action cluster={cluster} intent={intent.data} />;
}

function Action({ cluster, intent }: { readonly cluster: string; readonly intent: Intent }) {
  const presentation = INTENT_PRESENTATION[intent.state];
  return (
    <div className={page.scrolling}>
      <DocumentTitle title={`${actionTitle(intent)}, ${presentation.label}`} />
      <nav aria-label="Way back" className={styles.crumbs}>
        <Link href={addresses.actions(cluster)}>Actions</Link>
      </nav>
      <header className={styles.header}>
        <h1 className={page.title}>{actionTitle(intent)}</h1>
        <StatusChip status={presentation} prominent />
        <span className={page.push} />
        <CancelButton intent={intent} look="plain" />
      </header>
      <p className={page.sentence} role="status">
        <SentenceText text={resultText(intent)} />
      </p>
      <LoopsCard cluster={cluster} intent={intent} />
      <div className={`${page.card} ${styles.card}`}>
        <StepsLine intent={intent} />
      </div>
      <div className={`${page.card} ${styles.card}`}>
        <ActionFacts cluster={cluster} intent={intent} />
      </div>
      <ActionPlan cluster={cluster} intent={intent} />
      <ActionRecord cluster={cluster} id={intent.id} />
    </div>
  );
}

function LoopsCard({ cluster, intent }: { readonly cluster: string; readonly intent: Intent }) {
  if ((intent.loops?.length ?? 0) < 2) return null;
  return (
    <div className={`${page.card} ${styles.card}`}>
      <LoopLines cluster={cluster} loops={intent.loops} />
    </div>
  );
}
