import type { Role } from "@cloudwright/core/model/roles";
import type { ReactNode } from "react";
import { Fact } from "../../components/facts/fact.tsx";
import { Link } from "../../components/link.tsx";
import { LonePage } from "../../components/page/lone-page.tsx";
import styles from "./sign-in-card.module.css";

interface SignInCardProps {
  readonly link:
    | { readonly kind: "none" }
    | {
        readonly kind: "usable";
        readonly user: { readonly name: string; readonly email: string; readonly role: Role };
      }
    | { readonly kind: "refused"; readonly why: string };
  readonly token: string;
  readonly next: string;
  readonly notice: string | undefined;
}

const NOTICES: Readonly<Record<string, string>> = {
  origin: "That request did not come from this page. Open the sign-in link again.",
  limit:
    "Too many attempts to sign in are waiting. Wait a minute and try again, or use a sign-in link.",
  link: "That sign-in link no longer works: each works once, and only for a while.",
  server:
    "Signing in failed. Check that the dashboard reaches its database, then open the link again.",
  out: "You are signed out.",
};

const WRONG_PASSWORD = "The e-mail address or the password is wrong.";

export function SignInCard({ link, token, next, notice }: SignInCardProps) {
  return (
    <LonePage title={TITLES[link.kind]}>
      {notice !== undefined && Object.hasOwn(NOTICES, notice) ? (
        <p className={styles.notice} role="status">
          {NOTICES[notice]}
        </p>
      ) : null}
      {link.kind === "usable" ? (
        <Confirm user={link.user} token={token} next={next} />
      ) : (
        <WaysIn
          why={link.kind === "refused" ? link.why : undefined}
          next={next}
          problem={notice === "password" ? WRONG_PASSWORD : undefined}
        />
      )}
    </LonePage>
  );
}

const TITLES = {
  usable: "Sign in",
  refused: "This link does not sign you in",
  none: "You are not signed in",
} as const;

function Confirm({
  user,
  token,
  next,
}: {
  readonly user: { readonly name: string; readonly email: string; readonly role: Role };
  readonly token: string;
  readonly next: string;
}) {
  return (
    <>
      <dl className={`stack pad-3-4 sunken round ${styles.person}`}>
        <Fact label="Account">
          {user.name} <span className="quiet light">{user.email}</span>
        </Fact>
        <Fact label="Role">{user.role}</Fact>
      </dl>
      <form method="post" action="/sign-in/redeem">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="next" value={next} />
        <button type="submit" className={`wide bold pointer ${styles.button}`}>
          Sign in as {user.name}
        </button>
      </form>
      <p className="quiet small">This link works once. The session lasts 12 hours of use.</p>
    </>
  );
}

/** What stands between backticks is a command and looks like one; it is then said once. */
function withCommands(text: string): readonly ReactNode[] {
  return text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={part} className={`nowrap ink sunken ${styles.inlineCommand}`}>
        {part}
      </code>
    ),
  );
}

function WaysIn({
  why,
  next,
  problem,
}: {
  readonly why: string | undefined;
  readonly next: string;
  readonly problem: string | undefined;
}) {
  return (
    <>
      {why === undefined ? null : <p className="second">{withCommands(why)}</p>}
      <PasswordForm next={next} problem={problem} />
      {why === undefined ? (
        <ByLink />
      ) : (
        <p className="quiet small">
          Signed in already? <Link href={next}>Open the dashboard</Link>.
        </p>
      )}
    </>
  );
}

function ByLink() {
  return (
    <section className={`stack line-above ${styles.other}`} aria-labelledby="sign-in-link-title">
      <h2 id="sign-in-link-title" className="flush body-size medium">
        Without a password
      </h2>
      <p className="quiet small">
        A sign-in link signs one user in, once. An admin can create one in Settings; where
        Cloudwright runs, this command prints one:
      </p>
      <pre className={`pad-3-4 flush scroll-x sunken ${styles.command}`}>
        npx cloudwright sign-in-link
      </pre>
    </section>
  );
}

/** E-mail address and password as a plain form, which works before any script does. `problem` is why the last try failed. */
function PasswordForm({
  next,
  problem,
}: {
  readonly next: string;
  readonly problem: string | undefined;
}) {
  const described =
    problem === undefined ? {} : ({ "aria-describedby": "sign-in-problem" } as const);
  return (
    <form method="post" action="/sign-in/password" className="grid gap-4">
      <input type="hidden" name="next" value={next} />
      {problem === undefined ? null : (
        <p id="sign-in-problem" className="failure" role="alert">
          {problem}
        </p>
      )}
      <div className={`grid gap-1 ${styles.field}`}>
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
      <div className={`grid gap-1 ${styles.field}`}>
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
      <button type="submit" className={`wide bold pointer ${styles.button}`}>
        Sign in
      </button>
    </form>
  );
}
