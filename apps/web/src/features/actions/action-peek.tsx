"use client";
import type { Intent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { SentenceText } from "../../components/evidence/sentence-text.tsx";
import { FetchedPeek } from "../../components/peek-panel/peek-panel.tsx";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { CancelButton } from "../../platform/actions/cancel-button.tsx";
import { StepsLine } from "../../platform/actions/steps-line.tsx";
import { useIntent } from "../../platform/actions/use-intent.ts";
import { actionTitle } from "../../platform/wording/action-title.ts";
import { ActionFacts } from "./action-facts.tsx";
import { resultText } from "./action-result.ts";

/** What an action's page says first: how far it has come, what came of it, who asked for what and why, and the way to withdraw it. */
export function ActionPeek({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const cluster = useClusterId();
  const intent = useIntent(cluster, id);
  const title = intent.data === undefined ? t`Action` : actionTitle(intent.data);
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

function Summary({ intent }: { readonly intent: Intent }) {
  return (
    <>
      <div className="buttons centred apart">
        <StatusChip status={INTENT_PRESENTATION[intent.state]} prominent />
        <CancelButton intent={intent} appearance="plain" />
      </div>
      <p className="break lead second">
        <SentenceText text={resultText(intent)} />
      </p>
      <StepsLine intent={intent} />
      <ActionFacts intent={intent} />
    </>
  );
}
