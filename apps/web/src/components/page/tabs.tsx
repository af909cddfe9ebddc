"use client";
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { ScrollEdges } from "../scroll-edges/scroll-edges.tsx";
import { useCurrentInSight } from "../scroll-edges/use-current-in-sight.ts";
import styles from "./tabs.module.css";

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** A figure beside the label, such as the number of differences. */
  readonly note?: string | undefined;
}

/** Tabs whose selection the caller keeps in the address. The left and right arrow keys move between them. */
export function Tabs<Id extends string>({
  label,
  tabs,
  current,
  onChange,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly current: Id;
  readonly onChange: (id: Id) => void;
  readonly children: ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  // A number that arrives later shifts the tabs after it.
  useCurrentInSight(list, `${current} ${tabs.map(({ note = "" }) => note.length)}`);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const index = tabs.findIndex(({ id }) => id === current);
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    onChange(next.id);
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  return (
    <>
      <ScrollEdges scroller={list} className="rigid" isSoft>
        <div
          ref={list}
          className={`flex rigid gap-1 scroll-x strong-line-below ${styles.list}`}
          role="tablist"
          aria-label={label}
          onKeyDown={onKeyDown}
        >
          {tabs.map((tab) => (
            <button
              key={tab.id}
              id={`tab-${tab.id}`}
              type="button"
              role="tab"
              className={`inline-flex centred rigid gap-icon pad-0-3 medium second see-through pointer ${styles.tab}`}
              aria-selected={tab.id === current}
              aria-controls="tab-panel"
              tabIndex={tab.id === current ? 0 : -1}
              onClick={() => onChange(tab.id)}
            >
              {tab.label}
              {tab.note === undefined ? null : (
                <span className={`caption figures sunken pill ${styles.note}`}>{tab.note}</span>
              )}
            </button>
          ))}
        </div>
      </ScrollEdges>
      <div
        id="tab-panel"
        role="tabpanel"
        aria-labelledby={`tab-${current}`}
        className={`flex narrows shrinks gap-4 ${styles.panel}`}
      >
        {children}
      </div>
    </>
  );
}
