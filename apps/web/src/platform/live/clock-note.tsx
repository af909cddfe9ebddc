import { mixed } from "../../components/language/mixed-text.ts";
import styles from "../shell/shell.module.css";

/** Smaller differences do not show in times of whole seconds. */
const SHOWN_FROM_MS = 2_000;

export function isClockWrong(skewMs: number): boolean {
  return Math.abs(skewMs) > SHOWN_FROM_MS;
}

/** Says that this browser's clock is wrong, so that nobody misreads a time on the page. */
export function ClockNote({ skewMs }: { readonly skewMs: number }) {
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  if (!isClockWrong(skewMs)) return null;
  return (
    <p className={styles.banner} data-tone="unknown">
      {mixed`This browser's clock differs by ${seconds} s from the server's; relative times are
        off by as much.`}
    </p>
  );
}
