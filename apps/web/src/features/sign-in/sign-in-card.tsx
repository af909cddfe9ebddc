import type { Role } from "@cloudwright/core/model/roles";
import { Brand } from "../../components/brand.tsx";
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
    <main className={styles.page}>
      <section className={styles.card} aria-labelledby="sign-in-title">
        <Brand />
        <h1 id="sign-in-title" className={styles.title}>
          {link.kind === "usable" ? "Sign in" : "You are not signed in"}
        </h1>
        {notice !== undefined && NOTICES[notice] !== undefined ? (
          <p className={styles.notice} role="status">
            {NOTICES[notice]}
          </p>
        ) : null}
        {link.kind === "usable" ? (
          <Confirm user={link.user} token={token} next={next} />
        ) : (
          <Explanation why={link.kind === "refused" ? link.why : undefined} />
        )}
      </section>
    </main>
  );
}

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

function Explanation({ why }: { readonly why: string | undefined }) {
  return (
    <>
      <p className={styles.text}>
        {why ?? "The dashboard is opened with a link that signs one person in, once."}
      </p>
      <p className={styles.text}>Print a new link where Cloudwright runs:</p>
      <pre className={styles.command}>npx cloudwright sign-in-link</pre>
    </>
  );
}
