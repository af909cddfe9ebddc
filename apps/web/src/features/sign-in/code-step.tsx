import { t } from "@cloudwright/core/model/language/text";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import styles from "./sign-in-card.module.css";

function problemOf(notice: string | undefined): string | undefined {
  switch (notice) {
    case "code":
      return t`The code is wrong, or was used already: each works once. Type the one that the app shows now.`;
    case "code-locked":
      return t`Too many wrong codes were entered, so codes from the app are no longer accepted. Sign in with a recovery code, or ask an admin.`;
    default:
      return undefined;
  }
}

/** The second step of a password sign-in, as plain forms, which work before any script has loaded. */
export function CodeStep({
  email,
  next,
  notice,
}: {
  readonly email: string;
  readonly next: string;
  /** Why the last code was refused. */
  readonly notice: string | undefined;
}) {
  const problem = problemOf(notice);
  const described = problem === undefined ? {} : ({ "aria-describedby": "code-problem" } as const);
  return (
    <>
      <p className={`second ${styles.account}`}>
        {mixed`The password of ${<strong>{email}</strong>} is right. Now type the code from your
          authenticator app.`}
      </p>
      {problem === undefined ? null : (
        <p id="code-problem" className="failure" role="alert">
          {problem}
        </p>
      )}
      <form method="post" action="/sign-in/code" className="grid gap-4">
        <input type="hidden" name="next" value={next} />
        <div className={`grid gap-1 ${styles.field}`}>
          <label htmlFor="sign-in-code">{t`Code`}</label>
          <input
            id="sign-in-code"
            name="code"
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9 ]*"
            title={t`6 digits`}
            maxLength={12}
            required
            // The one thing that this page is for.
            // biome-ignore lint/a11y/noAutofocus: whoever comes here has just sent the password and types on
            autoFocus
            {...described}
          />
        </div>
        <button type="submit" className={`wide bold pointer ${styles.button}`}>
          {t`Sign in`}
        </button>
      </form>
      <details className={`line-above ${styles.other}`} open={notice === "code-locked"}>
        <summary className="pointer medium">{t`Without the app`}</summary>
        <RecoveryForm next={next} />
      </details>
      <p className="quiet small">
        <Link href={`/sign-in?next=${encodeURIComponent(next)}`}>{t`Sign in another way`}</Link>
      </p>
    </>
  );
}

function RecoveryForm({ next }: { readonly next: string }) {
  return (
    <form method="post" action="/sign-in/code" className={`grid gap-4 ${styles.recovery}`}>
      <input type="hidden" name="next" value={next} />
      <div className={`grid gap-1 ${styles.field}`}>
        <label htmlFor="sign-in-recovery">{t`Recovery code`}</label>
        <input
          id="sign-in-recovery"
          name="code"
          type="text"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          required
        />
        <span className="quiet small">
          {t`One of the ten that you saved when you added the app; each works once. If you have
            none, an admin can remove the app from your account or make you a sign-in link.`}
        </span>
      </div>
      <button type="submit" className={`wide bold pointer ${styles.button} ${styles.second}`}>
        {t`Sign in with a recovery code`}
      </button>
    </form>
  );
}
