"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Popover } from "@mantine/core";
import { cloneElement, type FormEvent, useEffect, useId, useRef, useState } from "react";
import { Button } from "../button/button.tsx";
import type { MenuButton } from "../menu/lazy-menu.tsx";
import { usePreferences } from "../preferences.ts";
import { clockIn, momentOf, type Zone, zoneLabel } from "../time/zone.ts";
import type { Stretch } from "../url/time-range.ts";
import styles from "./stretch-form.module.css";

const HOUR_MS = 3_600_000;

/** The panel of StretchPopover: two moments, read in the zone that the page shows. It is open from its first render. */
export function StretchPanel({
  button,
  between,
  onChoose,
}: {
  readonly button: MenuButton;
  readonly between: Stretch | undefined;
  readonly onChoose: (stretch: Stretch) => void;
}) {
  const target = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    target.current?.focus();
    setOpened(true);
  }, []);
  const choose = (stretch: Stretch) => {
    setOpened(false);
    onChoose(stretch);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        {cloneElement(button, { ref: target, onClick: () => setOpened(!opened) })}
      </Popover.Target>
      <Popover.Dropdown>
        <StretchForm between={between} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  );
}

function StretchForm({
  between,
  onChoose,
}: {
  readonly between: Stretch | undefined;
  readonly onChoose: (stretch: Stretch) => void;
}) {
  const { zone } = usePreferences();
  const id = useId();
  const [now] = useState(Date.now);
  const usual = between ?? { from: now - HOUR_MS, to: now };
  const [from, setFrom] = useState(() => momentText(usual.from, zone));
  const [to, setTo] = useState(() => momentText(usual.to, zone));
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readMoments({ from, to, zone });
    if ("problem" in read) setProblem(read.problem);
    else onChoose(read.stretch);
  };
  const field = (name: string, value: string, change: (text: string) => void) => (
    <label className={`grid gap-1 small second ${styles.field}`}>
      {name}
      <input
        type="datetime-local"
        step={1}
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : id}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    </label>
  );
  return (
    <form className={styles.form} aria-label={t`Time range`} onSubmit={submit}>
      {field(t`From (${zoneLabel(zone)})`, from, setFrom)}
      {field(t`To (${zoneLabel(zone)})`, to, setTo)}
      {problem === undefined ? null : (
        <p id={id} role="alert" className="small ink">
          {problem}
        </p>
      )}
      <Button type="submit" appearance="primary">
        {t`Show this time`}
      </Button>
    </form>
  );
}

/** Returns a moment in a zone as a datetime-local field has it: `2026-11-24T14:02:09`. */
export function momentText(at: number, zone: Zone): string {
  return new Date(clockIn(at, zone)).toISOString().slice(0, 19);
}

/** Returns the stretch between two such moments, or why they do not form one. */
export function readMoments(given: {
  readonly from: string;
  readonly to: string;
  readonly zone: Zone;
}): { readonly stretch: Stretch } | { readonly problem: string } {
  const [from, to] = [given.from, given.to].map((text) => readMoment(text, given.zone));
  if (from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) {
    return { problem: t`Enter both times, each with its date.` };
  }
  if (from >= to) return { problem: t`The start must come before the end.` };
  return { stretch: { from, to } };
}

function readMoment(text: string, zone: Zone): number {
  // Without a zone, JavaScript parses a date with a time as local time.
  if (zone === "local") return Date.parse(text);
  const clock = Date.parse(`${text}Z`);
  return Number.isNaN(clock) ? clock : momentOf(clock, zone);
}
