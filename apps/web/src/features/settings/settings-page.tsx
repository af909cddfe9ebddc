"use client";
import { t, worded } from "@cloudwright/core/model/language/text";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { Skeleton } from "../../components/page/panel-states.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useFetched } from "../../components/use-fetched.ts";
import { AppearanceSection } from "./appearance-section.tsx";
import { ControllersSection } from "./controllers-section.tsx";
import { FlagsSection } from "./flags-section.tsx";
import { SECTION_LABELS, SECTIONS, type Section } from "./sections.ts";
import { SessionsSection } from "./sessions-section.tsx";
import styles from "./settings.module.css";
import { TokensSection } from "./tokens-section.tsx";
import { UsersSection } from "./users-section.tsx";

/** `cluster`: whose frame the settings stand in; undefined before the first has reported. */
export function SettingsPage({
  section,
  cluster,
}: {
  readonly section: Section;
  readonly cluster: string | undefined;
}) {
  return (
    <div className={page.scrolling}>
      <header className={page.header}>
        <h1 className={page.title}>{t`Settings`}</h1>
        <p className="lead second">{SENTENCES[section]}</p>
      </header>
      <nav
        className={`flex gap-1 scroll-x strong-line-below ${styles.sections}`}
        aria-label={t`Settings`}
      >
        {SECTIONS.map((each) => (
          <Link
            key={each}
            href={addresses.settings(each)}
            aria-current={each === section ? "page" : undefined}
          >
            {SECTION_LABELS[each]}
          </Link>
        ))}
      </nav>
      <SectionContent section={section} cluster={cluster} />
    </div>
  );
}

const SENTENCES: Readonly<Record<Section, string>> = worded({
  users: () => t`Who may sign in, and what each role may do.`,
  sessions: () => t`Where you are signed in, and how you sign in.`,
  tokens: () => t`Programs that read here, and what each may see.`,
  notifications: () => t`Webhooks that are notified when something is wrong, and of the end of it.`,
  approval: () => t`Actions that wait for another person, on each cluster.`,
  controllers: () =>
    t`The controllers of each cluster, what can be changed while they run, and their processes.`,
  flags: () =>
    t`What each controller process was started with, and the line to change of each flag.`,
  appearance: () => t`How the pages look to you.`,
});

function SectionContent({
  section,
  cluster,
}: {
  readonly section: Section;
  readonly cluster: string | undefined;
}) {
  switch (section) {
    case "users":
      return <UsersSection cluster={cluster} />;
    case "sessions":
      return <SessionsSection />;
    case "tokens":
      return <TokensSection />;
    case "notifications":
      return <Notifications />;
    case "approval":
      return <Approval cluster={cluster} />;
    case "controllers":
      return <ControllersSection cluster={cluster} />;
    case "flags":
      return <FlagsSection cluster={cluster} />;
    case "appearance":
      return <AppearanceSection />;
  }
}

async function loadNotifications() {
  return (await import("./notifications/notifications-section.tsx")).NotificationsSection;
}

/** Fetched by itself: most visits to the settings are about something else. */
function Notifications() {
  const Section = useFetched(loadNotifications, 1);
  return Section === undefined ? <Skeleton lines={4} /> : <Section />;
}

async function loadApproval() {
  return (await import("./approval/approval-section.tsx")).ApprovalSection;
}

function Approval({ cluster }: { readonly cluster: string | undefined }) {
  const Section = useFetched(loadApproval, 1);
  return Section === undefined ? <Skeleton lines={4} /> : <Section cluster={cluster} />;
}
