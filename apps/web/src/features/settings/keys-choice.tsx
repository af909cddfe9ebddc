"use client";
import { t, worded } from "@cloudwright/core/model/language/text";
import {
  BOUND_KEYS,
  type BoundKey,
  type ChosenKeys,
  chosenKey,
} from "@cloudwright/core/model/preferences";
import { type ChangeEvent, useId, useState } from "react";
import { Button } from "../../components/button/button.tsx";
import { changePreferences, usePreferences } from "../../components/preferences.ts";
import styles from "./settings.module.css";

/** Assigns keys to functions. Each change is saved at once, unless the key is taken. */
export function KeysChoice() {
  const { keys } = usePreferences();
  const id = useId();
  const isChanged = BOUND_KEYS.some((key) => chosenKey(keys, key) !== key);
  return (
    <fieldset className={`grid gap-1 pad-0 flush frameless ${styles.choice}`} aria-describedby={id}>
      <legend>{t`Keys`}</legend>
      <ul className={styles.keys}>
        {BOUND_KEYS.map((key) => (
          <KeyField key={key} of={key} keys={keys} />
        ))}
      </ul>
      <div>
        <Button
          aria-disabled={!isChanged}
          onClick={() => (isChanged ? changePreferences(() => ({ keys: {} })) : undefined)}
        >
          {t`Reset keys`}
        </Button>
      </div>
      <p id={id} className="quiet small light">
        {t`Type another character. Enter, Space, Escape and Ctrl K cannot be reassigned.`}
      </p>
    </fieldset>
  );
}

function KeyField({ of, keys }: { readonly of: BoundKey; readonly keys: ChosenKeys }) {
  const id = useId();
  const [problem, setProblem] = useState("");
  const now = chosenKey(keys, of);
  const choose = ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
    const typed = [...value.trim()].find((character) => character !== now);
    if (typed === undefined) {
      setProblem("");
      return;
    }
    const takenBy = BOUND_KEYS.find((key) => key !== of && chosenKey(keys, key) === typed);
    setProblem(takenBy === undefined ? "" : t`${typed} is the key for: ${MEANINGS[takenBy]}`);
    if (takenBy !== undefined) return;
    changePreferences((before) => ({ keys: { ...before.keys, [of]: typed } }));
  };
  return (
    <li>
      <label htmlFor={id}>{MEANINGS[of]}</label>
      <input
        id={id}
        className="on-surface mono"
        value={now}
        onChange={choose}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={() => setProblem("")}
        autoComplete="off"
        aria-invalid={problem !== ""}
        aria-describedby={`${id}-problem`}
      />
      <span id={`${id}-problem`} className="failure small" role="status">
        {problem}
      </span>
    </li>
  );
}

const MEANINGS: Readonly<Record<BoundKey, string>> = worded({
  "/": () => t`Filter this list`,
  j: () => t`Next row`,
  k: () => t`Previous row`,
  o: () => t`Open the row`,
  x: () => t`Show the row beside the list, or close it`,
  "[": () => t`Previous of the list, or previous run`,
  "]": () => t`Next of the list, or next run`,
  f: () => t`Faults only, in lists of nodes, load balancers, routes and volumes`,
  g: () => t`Go to a page, by its letter after it`,
  r: () => t`Ask again`,
  p: () => t`Pause or resume updates`,
  t: () => t`Relative or absolute times`,
  d: () => t`Density of rows`,
  "?": () => t`List the keys`,
});
