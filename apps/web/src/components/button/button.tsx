"use client";
import type { ComponentPropsWithRef } from "react";
import styles from "./button.module.css";

interface ButtonProps extends ComponentPropsWithRef<"button"> {
  readonly look?: "primary" | "plain" | "quiet" | "danger";
  /** Something is chosen behind it. */
  readonly active?: boolean;
}

export function Button({ look = "plain", active = false, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={className === undefined ? styles.button : `${styles.button} ${className}`}
      data-look={look}
      data-active={active}
    />
  );
}
