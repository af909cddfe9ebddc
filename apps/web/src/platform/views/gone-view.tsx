"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Button } from "../../components/button/button.tsx";
import { FormDialog } from "../../components/form/form.tsx";

/** Says that the chosen view is gone; the list stays as it was. */
export function GoneView({
  name,
  isOpen,
  opener,
  onClose,
}: {
  readonly name: string;
  readonly isOpen: boolean;
  readonly opener: HTMLElement | undefined;
  readonly onClose: () => void;
}) {
  const title = t`This view no longer exists`;
  return (
    <FormDialog {...{ title, isOpen, opener, onClose }}>
      <div className="grid gap-3">
        <p className="flush break">
          {t`“${name}” has been removed, or is no longer shared with you. The list is as it was.`}
        </p>
        <div className="buttons at-end">
          <Button onClick={onClose} data-autofocus>
            {t`Close`}
          </Button>
        </div>
      </div>
    </FormDialog>
  );
}
