"use client";
import type { Intent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useFocusBack } from "../../components/form/use-focus-back.ts";
import { mixed } from "../../components/language/mixed-text.ts";
import { TimeText } from "../../components/time/time-text.tsx";

/** The dialog in which a user decides on another's request; `what` names it. */
export function ApprovalModal({
  what,
  onClose,
  children,
}: {
  readonly what: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  useFocusBack(true);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t`Approve? ${what}`}
      size="lg"
      centered
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
      returnFocus={false}
      closeButtonProps={{ "aria-label": t`Close` }}
    >
      {children}
    </Modal>
  );
}

/** Who requested it, when and why. */
export function RequestedBy({
  intent: { actor, requestedAt, why },
}: {
  readonly intent: Pick<Intent, "actor" | "requestedAt" | "why">;
}) {
  return (
    <p className="break">
      {mixed`${<strong>{actor}</strong>} asked for it ${<TimeText at={requestedAt} />}: ${why}`}
    </p>
  );
}
