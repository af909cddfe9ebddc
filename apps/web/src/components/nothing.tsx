import styles from "./nothing.module.css";

/** Stands where there is nothing to say. */
export function Nothing() {
  return (
    <span className={styles.nothing}>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">none</span>
    </span>
  );
}
