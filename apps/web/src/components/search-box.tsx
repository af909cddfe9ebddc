"use client";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import styles from "./search-box.module.css";
import { useShortcuts } from "./shortcuts.ts";

const DEBOUNCE_MS = 300;

/** A filter box: the page follows 300 ms after the last key, `/` focuses it, Escape leaves it. */
export function SearchBox({
  label,
  placeholder,
  value,
  onChange,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  // Texts that were applied but have not come back in the address yet, oldest first; a slow machine may have several.
  const sent = useRef<readonly string[]>([value]);
  useEffect(() => {
    const own = sent.current.indexOf(value);
    sent.current = own < 0 ? [value] : sent.current.slice(own);
    // The address changed by other means, such as Back, so the box follows.
    if (own < 0) setText(value);
  }, [value]);
  useEffect(() => {
    if (text === sent.current.at(-1)) return;
    const timer = setTimeout(() => {
      sent.current = [...sent.current, text];
      onChange(text);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  useShortcuts({ "/": () => input.current?.focus() });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    if (text === "") input.current?.blur();
    setText("");
  };
  return (
    <div className={`flex centred relative ${styles.box}`}>
      <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true" className={styles.lens}>
        <circle cx="7" cy="7" r="4.6" />
        <path d="m10.6 10.6 3.4 3.4" />
      </svg>
      <input
        ref={input}
        type="search"
        className={styles.input}
        aria-label={label}
        placeholder={placeholder}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
