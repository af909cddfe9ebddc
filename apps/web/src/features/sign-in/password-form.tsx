import styles from "./sign-in-card.module.css";

/** E-mail address and password as a plain form, which works before any script does. `problem` is why the last try failed. */
export function PasswordForm({
  next,
  problem,
}: {
  readonly next: string;
  readonly problem: string | undefined;
}) {
  const described =
    problem === undefined ? {} : ({ "aria-describedby": "sign-in-problem" } as const);
  return (
    <form method="post" action="/sign-in/password" className={styles.form}>
      <input type="hidden" name="next" value={next} />
      {problem === undefined ? null : (
        <p id="sign-in-problem" className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.field}>
        <label htmlFor="sign-in-email">E-mail address</label>
        <input
          id="sign-in-email"
          name="email"
          type="text"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          required
          {...described}
        />
      </div>
      <div className={styles.field}>
        <label htmlFor="sign-in-password">Password</label>
        <input
          id="sign-in-password"
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={200}
          required
          {...described}
        />
      </div>
      <button type="submit" className={styles.button}>
        Sign in
      </button>
    </form>
  );
}
