"use client";
import type { ListedIntent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import type { Unread } from "@cloudwright/store/views/unread";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { isUnread, UnreadPart } from "../../components/page/unread-part.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { listedTitle } from "../wording/action-title.ts";
import { stateWord } from "./state-words.ts";

/** The object's requested actions that are not over yet. */
export function OpenActions({
  of,
}: {
  readonly of: Unread<string> & { readonly openIntents: readonly ListedIntent[] };
}) {
  const cluster = useClusterId();
  if (isUnread(of, "openIntents")) {
    return <UnreadPart>{t`The open actions could not be read.`}</UnreadPart>;
  }
  return of.openIntents.map((intent) => (
    <p key={intent.id} className={`pad-2-3 small round-small ${page.note}`}>
      <OpenAction cluster={cluster} intent={intent} />
    </p>
  ));
}

function OpenAction({
  cluster,
  intent,
}: {
  readonly cluster: string;
  readonly intent: ListedIntent;
}) {
  const { id, state, actor, requestedAt } = intent;
  const title = <Link href={addresses.action(cluster, id)}>{listedTitle(intent)}</Link>;
  const asked = <TimeText at={requestedAt} />;
  return state === "awaiting-approval"
    ? mixed`${title} was requested by ${actor} ${asked} and is waiting for another user's approval.`
    : mixed`${title} was requested by ${actor} ${asked} and is ${stateWord(state)}.`;
}
