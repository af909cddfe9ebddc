"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { IncidentAbout } from "@cloudwright/store/views/incidents";
import { useState } from "react";
import { Button } from "../../components/button/button.tsx";
import { useFetched } from "../../components/use-fetched.ts";

const load = () => import("./share-dialog.tsx").then(({ ShareDialog }) => ShareDialog);

/** Freezes what is known about something at this moment, and shows the link to it. */
export function ShareButton({
  about,
  name,
  label = t`Share what you see…`,
}: {
  readonly about: IncidentAbout;
  /** Names what is shared, for screen readers that hear only the button. */
  readonly name: string;
  readonly label?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  /** Undefined before the first time, so that nothing is fetched for it. */
  const [opener, setOpener] = useState<HTMLElement | undefined>(undefined);
  const ShareDialog = useFetched(load, opener);
  return (
    <>
      <Button
        appearance="quiet"
        className="nowrap"
        aria-label={t`Share what you see of ${name}`}
        onClick={({ currentTarget }) => {
          setOpener(currentTarget);
          setOpen(true);
        }}
      >
        {label}
      </Button>
      {ShareDialog === undefined ? null : (
        <ShareDialog {...{ about, name, isOpen, opener }} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
