"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useFocusBack } from "./use-focus-back.ts";

export interface FormModalProps {
  readonly title: string;
  readonly isOpen: boolean;
  /**
   * Receives the focus when the dialog closes, if the pressed element disappears as the dialog opens, as a menu entry does. By default the
   * previously focused element receives it.
   */
  readonly opener?: HTMLElement | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The dialog of a form. */
export function FormModal({ title, isOpen, opener, onClose, children }: FormModalProps) {
  useFocusBack(isOpen, opener);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      centered
      closeOnClickOutside={false}
      returnFocus={false}
      closeButtonProps={{ "aria-label": t`Close` }}
    >
      {children}
    </Modal>
  );
}
