"use client";
import type { ComponentPropsWithRef } from "react";
import styles from "./button.module.css";

interface ButtonProps extends ComponentPropsWithRef<"button"> {
  readonly appearance?: "primary" | "plain" | "quiet" | "danger";
  /** The button opens something in which a choice is active. */
  readonly active?: boolean;
}

export function Button({ appearance = "plain", active = false, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={className === undefined ? styles.button : `${styles.button} ${className}`}
      data-look={appearance}
      data-active={active}
    />
  );
}

/** The arrow that marks a button which opens something below it. */
export function Caret() {
  return (
    <svg width="9" height="6" viewBox="0 0 9 6" aria-hidden="true">
      <path d="m1 1 3.5 3.5L8 1" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
