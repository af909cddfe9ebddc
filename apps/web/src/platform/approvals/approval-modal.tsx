"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Modal } from "@mantine/core";
import type { ReactNode } from "react";

/** Where somebody decides about what somebody else asked for; `what` names it. */
export function ApprovalModal({
  what,
  onClose,
  children,
}: {
  readonly what: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={t`Approve? ${what}`}
      size="lg"
      centered
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ "aria-label": t`Close` }}
    >
      {children}
    </Modal>
  );
}
