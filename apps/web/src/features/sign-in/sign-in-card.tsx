import type { Role } from "@cloudwright/core/model/roles";
import Link from "next/link";
import type { ReactNode } from "react";
import { LonePage } from "../../components/lone-page.tsx";
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
  origin: "That request did not come from this page. Open the sign-in link anew.",
  limit: "There were too many attempts. Wait a minute and try again.",
  link: "That sign-in link no longer works: each works once and for 15 minutes.",
  server:
    "Signing in failed. Check that the dashboard reaches its database, then open the link again.",
  out: "You are signed out.",
};

export function SignInCard({ link, token, next, notice }: SignInCardProps) {
  return (
    <LonePage title={TITLES[link.kind]}>
      {notice !== undefined && NOTICES[notice] !== undefined ? (
        <p className={styles.notice} role="status">
          {NOTICES[notice]}
        </p>
      ) : null}
      {link.kind === "usable" ? (
        <Confirm user={link.user} token={token} next={next} />
      ) : (
        <Explanation why={link.kind === "refused" ? link.why : undefined} next={next} />
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
      <dl className={styles.person}>
        <div>
          <dt>Account</dt>
          <dd>
            {user.name} <span className={styles.mail}>{user.email}</span>
          </dd>
        </div>
        <div>
          <dt>Role</dt>
          <dd>{user.role}</dd>
        </div>
      </dl>
      <form method="post" action="/sign-in/redeem">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="next" value={next} />
        <button type="submit" className={styles.button}>
          Sign in as {user.name}
        </button>
      </form>
      <p className={styles.small}>This link works once. The session lasts 12 hours of use.</p>
    </>
  );
}

/** What stands between backticks is a command and looks like one; it is then said once. */
function withCommands(text: string): readonly ReactNode[] {
  return text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={part} className={styles.inlineCommand}>
        {part}
      </code>
    ),
  );
}

function Explanation({ why, next }: { readonly why: string | undefined; readonly next: string }) {
  return (
    <>
      <p className={styles.text}>
        {why === undefined
          ? "The dashboard is opened with a link that signs one person in, once. Print a new one where Cloudwright runs:"
          : withCommands(why)}
      </p>
      {why === undefined ? (
        <pre className={styles.command}>npx cloudwright sign-in-link</pre>
      ) : null}
      {why === undefined ? null : (
        <p className={styles.small}>
          Signed in already? <Link href={next}>Open the dashboard</Link>.
        </p>
      )}
    </>
  );
}
