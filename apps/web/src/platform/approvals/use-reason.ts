"use client";
import { t } from "@cloudwright/core/model/language/text";
import { useRef, useState } from "react";

/** Holds the reason of a decision; `checked` returns undefined and focuses the field if it is empty. */
export function useReason() {
  const form = useRef<HTMLFormElement>(null);
  const [value, change] = useState("");
  const [tried, setTried] = useState(false);
  const isMissing = value.trim() === "";
  return {
    ...{ form, value, change },
    problem: tried && isMissing ? t`Enter a reason: it is kept in the audit record.` : undefined,
    checked: () => {
      setTried(true);
      if (!isMissing) return value.trim();
      form.current?.querySelector<HTMLElement>('[name="why"]')?.focus();
      return undefined;
    },
  };
}
