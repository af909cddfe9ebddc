"use client";
import { isReadable, type ListedIntent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { SentenceText } from "../../components/evidence/sentence-text.tsx";
import { FetchedPeek } from "../../components/peek-panel/peek-panel.tsx";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { CancelButton } from "../../platform/actions/cancel-button.tsx";
import {
  intentPresentation,
  listedResult,
  resultLanguage,
} from "../../platform/actions/listed-intent.ts";
import { StepsLine } from "../../platform/actions/steps-line.tsx";
import { useIntent } from "../../platform/actions/use-intent.ts";
import { listedTitle } from "../../platform/wording/action-title.ts";
import { ActionFacts } from "./action-facts.tsx";
import { UnreadableFacts } from "./unreadable-action.tsx";

/** The first things that an action's page says: its progress and result, who requested what and why, and the button that withdraws it. */
export function ActionPeek({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const cluster = useClusterId();
  const intent = useIntent(cluster, id);
  const title = intent.data === undefined ? t`Action` : listedTitle(intent.data);
  return (
    <FetchedPeek
      title={title}
      href={addresses.action(cluster, id)}
      onClose={onClose}
      query={intent}
    >
      {(data) => <Summary intent={data} />}
    </FetchedPeek>
  );
}

function Summary({ intent }: { readonly intent: ListedIntent }) {
  const result = listedResult(intent);
  return (
    <>
      <div className="buttons centred apart">
        <StatusChip status={intentPresentation(intent)} prominent />
        <CancelButton intent={intent} appearance="plain" />
      </div>
      <p className="break lead second" lang={resultLanguage(result, intent)}>
        <SentenceText text={result} />
      </p>
      {isReadable(intent) ? (
        <>
          <StepsLine intent={intent} />
          <ActionFacts intent={intent} />
        </>
      ) : (
        <UnreadableFacts intent={intent} />
      )}
    </>
  );
}
