"use client";
import type { Intent } from "@cloudwright/core/model/intent";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { actionTitle } from "../wording/action-title.ts";

/** What has been asked for of an object and is not over yet. */
export function OpenActions({
  cluster,
  intents,
}: {
  readonly cluster: string;
  readonly intents: readonly Intent[];
}) {
  return intents.map((intent) => (
    <p key={intent.id} className={page.note}>
      <Link href={addresses.action(cluster, intent.id)}>{actionTitle(intent)}</Link> was requested
      by {intent.actor} <TimeText at={intent.requestedAt} /> and is {intent.state}.
    </p>
  ));
}
