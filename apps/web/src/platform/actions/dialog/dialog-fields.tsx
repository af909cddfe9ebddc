"use client";
import { actionOf } from "@cloudwright/core/model/actions/action";
import type { Typed } from "@cloudwright/core/model/actions/define";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import { type ReactNode, useId } from "react";
import { mixed } from "../../../components/language/mixed-text.ts";
import { keepUnits } from "../../../components/presentation/format-text.ts";
import { ClockText } from "../../../components/time/time-text.tsx";
import type { ActionChoice } from "../action-choice.ts";
import styles from "./action-dialog.module.css";
import type { End } from "./use-end.ts";

/** How long the action lasts; renders nothing for actions without an end. */
export function EndField({
  kind,
  end,
  onChoose,
}: {
  readonly kind: ActionChoice["kind"];
  readonly end: End;
  readonly onChoose: (lengthMs: number) => void;
}) {
  const { lengths } = actionOf(kind);
  const id = useId();
  if (lengths === undefined) return null;
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="body-size bold">
        {t`Ends after`}
      </label>
      <div className="flex centred wrap gap-2-3">
        <select
          id={id}
          className={`narrows pad-0-3 on-surface ${styles.input}`}
          value={end.lengthMs}
          onChange={({ target }) => onChoose(Number(target.value))}
        >
          {lengths.choices.map((ms) => (
            <option key={ms} value={ms}>
              {keepUnits(formatDuration(ms))}
            </option>
          ))}
        </select>
        <span className={styles.quiet}>{mixed`at ${<ClockText at={end.until} />}, by itself`}</span>
      </div>
    </div>
  );
}

export function ReasonField({
  value,
  problem,
  isFirst,
  onChange,
}: {
  readonly value: string;
  readonly problem: string | undefined;
  /** Gets the focus when the dialog opens. */
  readonly isFirst: boolean;
  readonly onChange: (value: string) => void;
}) {
  return (
    <TextField
      name="why"
      label={t`Reason`}
      note={t`kept in the audit record`}
      maxLength={500}
      {...{ value, problem, isFirst, onChange }}
    />
  );
}

/** Text that has to be typed exactly; renders nothing for actions that do not need it. */
export function TypedField({
  typed,
  value,
  problem,
  onChange,
}: {
  /** What has to be typed; undefined if nothing. */
  readonly typed: Typed | undefined;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  if (typed === undefined) return null;
  return (
    <TextField
      name="typed"
      label={t`Type ${typed.what}`}
      note={<code>{typed.text}</code>}
      maxLength={253}
      isFirst={false}
      {...{ value, problem, onChange }}
    />
  );
}

export function TextField({
  name,
  label,
  note,
  value,
  problem,
  isFirst,
  maxLength,
  onChange,
}: {
  readonly name: string;
  readonly label: string;
  readonly note: ReactNode;
  readonly value: string;
  readonly problem: string | undefined;
  readonly isFirst: boolean;
  readonly maxLength: number;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="body-size bold">
        {label} <span className={`light ${styles.note}`}>{note}</span>
      </label>
      <input
        id={id}
        name={name}
        className={`narrows pad-0-3 on-surface ${styles.input}`}
        value={value}
        maxLength={maxLength}
        required
        autoComplete="off"
        spellCheck={name === "why"}
        data-autofocus={isFirst ? true : undefined}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onChange={({ target }) => onChange(target.value)}
      />
      {problem === undefined ? null : (
        <p id={`${id}-problem`} className={`small ink ${styles.problem}`}>
          <span aria-hidden="true">! </span>
          {problem}
        </p>
      )}
    </div>
  );
}
