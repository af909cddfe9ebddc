"use client";
import { t } from "@cloudwright/core/model/language/text";
import { ShownOnce } from "./shown-once.tsx";

/** A link that signs a user in: shown once, because only its hash is kept. */
export function OneTimeLink({
  name,
  link: { url, expiresAt },
  onClose,
}: {
  readonly name: string;
  readonly link: { readonly url: string; readonly expiresAt: number };
  readonly onClose: () => void;
}) {
  return (
    <ShownOnce
      label={t`Sign-in link of ${name}`}
      copy={t`Copy link`}
      value={url}
      expiresAt={expiresAt}
      onClose={onClose}
    >
      {t`Give this link to ${name} in a way that only they can read. It signs in whoever
        opens it first, works once, and is not shown again.`}
    </ShownOnce>
  );
}
