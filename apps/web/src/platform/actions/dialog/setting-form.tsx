"use client";
import type { SettingChange } from "@cloudwright/core/model/actions/setting-actions";
import {
  canonicalValue,
  problemOfValue,
  settingOf,
} from "@cloudwright/core/model/settings/settings";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { mixed } from "../../../components/language/mixed-text.ts";
import type { ActionChoice } from "../action-choice.ts";
import { settingChange } from "../setting-choice.ts";
import { ActionForm } from "./action-form.tsx";
import { TextField } from "./dialog-fields.tsx";

/** Waits for a pause in typing, because nobody wants a plan for each letter. */
const TYPED_AFTER_MS = 400;

/** Asks for the value of a setting first; the plan and the confirmation follow from it. */
export function SettingForm({
  choice,
  change,
}: {
  readonly choice: ActionChoice;
  readonly change: SettingChange;
}) {
  const { setting, from } = change;
  const { label, help, takes } = settingOf(setting);
  const [text, setText] = useState(from);
  const typed = text.trim();
  const [settled] = useDebouncedValue(typed, TYPED_AFTER_MS);
  const value = canonicalValue(setting, typed);
  const problem = problemOfValue(setting, typed);
  const isComplete = problem === undefined && value !== from && settled === typed;
  const chosen = isComplete ? settingChange(choice.cluster, { ...change, value }) : choice;
  return (
    <ActionForm choice={chosen} isComplete={isComplete}>
      <p className="second">{help}</p>
      <TextField
        name="value"
        label={label}
        note={mixed`now ${<code key="from">{from}</code>}; ${takes}`}
        value={text}
        // An incomplete value is no mistake while it is being typed.
        problem={settled === typed ? problem : undefined}
        isFirst
        maxLength={60}
        onChange={setText}
      />
    </ActionForm>
  );
}
