"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Popover } from "@mantine/core";
import { cloneElement, type FormEvent, useEffect, useId, useRef, useState } from "react";
import { Button } from "../button/button.tsx";
import type { MenuButton } from "../menu/lazy-menu.tsx";
import { usePreferences } from "../preferences.ts";
import { clockIn, type Zone, zoneLabel } from "../time/zone.ts";
import type { Stretch } from "../url/time-range.ts";
import { momentOf } from "./moment-of.ts";
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
  const [usual] = useState(() => between ?? { from: now - HOUR_MS, to: now });
  const [from, setFrom] = useState(() => momentText(usual.from, zone));
  const [to, setTo] = useState(() => momentText(usual.to, zone));
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readMoments({ from, to, zone }, usual);
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

/**
 * Returns the stretch between two such moments, or why they do not form one. A field that still shows the moment it had at first means
 * exactly that one: it has no milliseconds, and says nothing about which of two hours with the same name.
 */
export function readMoments(
  { from, to, zone }: { readonly from: string; readonly to: string; readonly zone: Zone },
  first: Stretch | undefined,
): { readonly stretch: Stretch } | { readonly problem: string } {
  const stretch = {
    from: readMoment({ text: from, zone, which: "first", usual: first?.from }),
    to: readMoment({ text: to, zone, which: "last", usual: first?.to }),
  };
  if (Number.isNaN(stretch.from) || Number.isNaN(stretch.to)) {
    return { problem: t`Enter both times, each with its date.` };
  }
  if (stretch.from >= stretch.to) return { problem: t`The start must come before the end.` };
  return { stretch };
}

/** Fields leave out seconds of zero. */
function readMoment({
  text,
  zone,
  which,
  usual,
}: {
  readonly text: string;
  readonly zone: Zone;
  readonly which: "first" | "last";
  readonly usual: number | undefined;
}): number {
  const clock = Date.parse(`${text}Z`);
  if (Number.isNaN(clock)) return clock;
  if (usual !== undefined && clock === Date.parse(`${momentText(usual, zone)}Z`)) return usual;
  return momentOf(clock, zone, which);
}
