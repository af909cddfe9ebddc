import { t, worded } from "@cloudwright/core/model/language/text";
import type { Role } from "@cloudwright/core/model/roles";
import { CodeInText } from "../../components/evidence/code-in-text.tsx";
import { Fact } from "../../components/facts/fact.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { LonePage } from "../../components/page/lone-page.tsx";
import { CodeStep } from "./code-step.tsx";
import styles from "./sign-in-card.module.css";

interface SignInCardProps {
  readonly link:
    | { readonly kind: "none" }
    | {
        readonly kind: "usable";
        readonly user: { readonly name: string; readonly email: string; readonly role: Role };
      }
    | { readonly kind: "refused"; readonly why: string };
  /** The user whose password was accepted and who now enters a code. */
  readonly codeOf: { readonly email: string } | undefined;
  readonly token: string;
  readonly next: string;
  readonly notice: string | undefined;
  readonly ways: SignInWays;
}

export interface SignInWays {
  /** The identity provider; undefined without one. */
  readonly provider: { readonly name: string } | undefined;
  /** Whether passwords may be used to sign in. */
  readonly local: boolean;
}

const NOTICES: Readonly<Record<string, string>> = worded({
  origin: () => t`That request did not come from this page. Open the sign-in link again.`,
  limit: () =>
    t`Too many attempts to sign in are waiting. Wait a minute and try again, or use a sign-in link.`,
  link: () => t`That sign-in link no longer works: each works once, and only for a while.`,
  "code-expired": () => t`That took longer than 10 minutes. Sign in again.`,
  server: () =>
    t`Signing in failed. Check that the dashboard reaches its database, then open the link again.`,
  out: () => t`You are signed out.`,
  local: () => t`Signing in with a password is turned off here.`,
  "oidc-off": () => t`Signing in through an identity provider is not set up here.`,
  "oidc-down": () =>
    t`The identity provider does not answer at the moment. Try again in a minute; if it still does not, an admin can find the cause in the dashboard’s log.`,
  "oidc-expired": () =>
    t`That sign-in took longer than 10 minutes, or began in another tab or browser. Sign in again.`,
  "oidc-denied": () =>
    t`The identity provider did not let you in. Sign in again, or ask its admin.`,
  "oidc-unverified": () =>
    t`The identity provider's answer could not be verified, so you are not signed in. Try again; an admin can find the cause in the dashboard’s log.`,
  "oidc-email": () =>
    t`The identity provider did not supply your e-mail address. Ask an admin to request the scope email.`,
  "oidc-role": () =>
    t`None of your groups at the identity provider gives you a role in Cloudwright. Ask an admin for a group that does.`,
  "oidc-taken": () =>
    t`Another account here has your e-mail address, so no account was created for you. Ask an admin to change its address or to remove it.`,
  "oidc-disabled": () => t`Your account is disabled here. Ask an admin.`,
});

export function SignInCard({ link, codeOf, token, next, notice, ways }: SignInCardProps) {
  if (codeOf !== undefined) {
    return (
      <LonePage title={t`One more step`}>
        <CodeStep email={codeOf.email} next={next} notice={notice} />
      </LonePage>
    );
  }
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
          ways={ways}
          problem={
            notice === "password" ? t`The e-mail address or the password is wrong.` : undefined
          }
        />
      )}
    </LonePage>
  );
}

const TITLES = worded({
  usable: () => t`Sign in`,
  refused: () => t`This link does not sign you in`,
  none: () => t`You are not signed in`,
});

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
        <Fact label={t`Account`}>
          {user.name} <span className="quiet light">{user.email}</span>
        </Fact>
        <Fact label={t`Role`}>{user.role}</Fact>
      </dl>
      <form method="post" action="/sign-in/redeem">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="next" value={next} />
        <button type="submit" className={`wide bold pointer ${styles.button}`}>
          {mixed`Sign in as ${user.name}`}
        </button>
      </form>
      <p className="quiet small">{t`This link works once. The session lasts 12 hours of use.`}</p>
    </>
  );
}

/** A command appears once, in a box of its own. */
function Commands({ text }: { readonly text: string }) {
  return <CodeInText text={text} className={`nowrap ink sunken ${styles.inlineCommand}`} />;
}

function WaysIn({
  why,
  next,
  ways: { provider, local },
  problem,
}: {
  readonly why: string | undefined;
  readonly next: string;
  readonly ways: SignInWays;
  readonly problem: string | undefined;
}) {
  return (
    <>
      {why === undefined ? null : (
        <p className="second">
          <Commands text={why} />
        </p>
      )}
      {provider === undefined ? null : <ProviderLink name={provider.name} next={next} />}
      {provider !== undefined && local ? (
        <p className={`flex gap-3 center quiet small ${styles.or}`}>{t`or`}</p>
      ) : null}
      {local ? (
        <PasswordForm next={next} problem={problem} isFirst={provider === undefined} />
      ) : null}
      {why === undefined ? (
        <ByLink />
      ) : (
        <p className="quiet small">
          {mixed`Signed in already? ${<Link href={next}>{t`Open the dashboard`}</Link>}.`}
        </p>
      )}
    </>
  );
}

/** A plain link: the page's security policy forbids forms that lead to another site, and nothing may prefetch it. */
function ProviderLink({ name, next }: { readonly name: string; readonly next: string }) {
  return (
    <a
      href={`/sign-in/oidc?next=${encodeURIComponent(next)}`}
      className={`wide bold pointer ${styles.button} ${styles.link}`}
    >
      {mixed`Sign in with ${name}`}
    </a>
  );
}

function ByLink() {
  return (
    <section className={`stack line-above ${styles.other}`} aria-labelledby="sign-in-link-title">
      <h2 id="sign-in-link-title" className="flush body-size medium">
        {t`Without a password`}
      </h2>
      <p className="quiet small">
        {t`A sign-in link signs one user in, once. An admin can create one in Settings; where
          Cloudwright runs, this command prints one:`}
      </p>
      <pre className={`pad-3-4 flush scroll-x sunken ${styles.command}`}>
        npx cloudwright sign-in-link
      </pre>
    </section>
  );
}

/** E-mail address and password as a plain form, which works before any script has loaded. `problem` is why the last attempt failed. */
function PasswordForm({
  next,
  problem,
  isFirst,
}: {
  readonly next: string;
  readonly problem: string | undefined;
  /** Whether it is the primary way to sign in. */
  readonly isFirst: boolean;
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
        <label htmlFor="sign-in-email">{t`E-mail address`}</label>
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
        <label htmlFor="sign-in-password">{t`Password`}</label>
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
      <button
        type="submit"
        className={`wide bold pointer ${styles.button} ${isFirst ? "" : styles.second}`}
      >
        {t`Sign in`}
      </button>
    </form>
  );
}
