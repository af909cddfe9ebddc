"use client";
import { t } from "@cloudwright/core/model/language/text";
import { ShownOnce } from "../shown-once.tsx";

/** The secret that signs a webhook's messages: shown once, because it is stored encrypted. */
export function SecretOnce({
  name,
  secret,
  onClose,
}: {
  readonly name: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  return (
    <ShownOnce
      label={t`Secret of ${name}`}
      copy={t`Copy secret`}
      value={secret}
      look="secret"
      onClose={onClose}
    >
      {t`Give this secret to the receiver, which uses it to verify that a message comes from this
        dashboard. It is not shown again. Slack and similar services need none.`}
    </ShownOnce>
  );
}
