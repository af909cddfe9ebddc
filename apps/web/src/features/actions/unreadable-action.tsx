"use client";
import type { UnreadableIntent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { ObjectLink } from "../../components/object-link.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import styles from "./action-page.module.css";

/** What is known about an action that a newer release wrote, or whose row is damaged. */
export function UnreadableFacts({ intent }: { readonly intent: UnreadableIntent }) {
  const { id, object, controller, why, actor, requestedAt, expiresAt } = intent;
  return (
    <dl className={styles.facts}>
      <dt>{t`Object`}</dt>
      <dd>
        <ObjectLink object={object} />
      </dd>
      <dt>{t`Controller`}</dt>
      <dd>{controller}</dd>
      <dt>{t`Reason`}</dt>
      <dd>{why}</dd>
      <dt>{t`Requested by`}</dt>
      <dd>
        {actor}, <TimeText at={requestedAt} />
      </dd>
      <dt>{t`Expires`}</dt>
      <dd>
        <TimeText at={expiresAt} />
      </dd>
      <dt>{t`Action ID`}</dt>
      <dd>
        <code>{id}</code>
      </dd>
    </dl>
  );
}
