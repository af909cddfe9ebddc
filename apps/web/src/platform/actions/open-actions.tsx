"use client";
import type { Intent } from "@cloudwright/core/model/intent";
import { t } from "@cloudwright/core/model/language/text";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { actionTitle } from "../wording/action-title.ts";

/** What has been asked for of an object and is not over yet. */
export function OpenActions({ intents }: { readonly intents: readonly Intent[] }) {
  const cluster = useClusterId();
  return intents.map((intent) => (
    <p key={intent.id} className={`pad-2-3 small round-small ${page.note}`}>
      {mixed`${<Link href={addresses.action(cluster, intent.id)}>{actionTitle(intent)}</Link>}
        was requested by ${intent.actor} ${<TimeText at={intent.requestedAt} />} and
        ${
          intent.state === "awaiting-approval"
            ? t`waits for another person's approval`
            : `is ${intent.state}`
        }.`}
    </p>
  ));
}
