"use client";
import { t, worded } from "@cloudwright/core/model/language/text";
import { useRef } from "react";
import { late } from "../../components/late.tsx";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { ScrollEdges } from "../../components/scroll-edges/scroll-edges.tsx";
import { useCurrentInSight } from "../../components/scroll-edges/use-current-in-sight.ts";
import { addresses } from "../../components/url/addresses.ts";
import { AppearanceSection } from "./appearance-section.tsx";
import { SECTION_LABELS, SECTIONS, type Section } from "./sections.ts";
import styles from "./settings.module.css";

/** `cluster` is the one whose frame is shown; undefined before the first has reported. */
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
      <Sections current={section} />
      <SectionContent section={section} cluster={cluster} />
    </div>
  );
}

/** On a narrow screen, they are a row that scrolls. */
function Sections({ current }: { readonly current: Section }) {
  const row = useRef<HTMLElement>(null);
  useCurrentInSight(row, current);
  return (
    <ScrollEdges scroller={row} isSoft>
      <nav
        ref={row}
        className={`flex gap-1 scroll-x strong-line-below ${styles.sections}`}
        aria-label={t`Settings`}
      >
        {SECTIONS.map((each) => (
          <Link
            key={each}
            href={addresses.settings(each)}
            aria-current={each === current ? "page" : undefined}
          >
            {SECTION_LABELS[each]}
          </Link>
        ))}
      </nav>
    </ScrollEdges>
  );
}

const SENTENCES: Readonly<Record<Section, string>> = worded({
  users: () => t`Who may sign in, and what each role may do.`,
  sessions: () => t`Where you are signed in, and how you sign in.`,
  tokens: () => t`Programs that may read from this dashboard, and what each may see.`,
  notifications: () => t`Webhooks that are notified when something is wrong, and when it is over.`,
  approval: () => t`Actions that need another user's approval, on each cluster.`,
  controllers: () =>
    t`The controllers of each cluster, what can be changed while they run, and their processes.`,
  flags: () =>
    t`What each controller process was started with, and the line that changes each flag.`,
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
      return <NotificationsSection />;
    case "approval":
      return <ApprovalSection cluster={cluster} />;
    case "controllers":
      return <ControllersSection cluster={cluster} />;
    case "flags":
      return <FlagsSection cluster={cluster} />;
    case "appearance":
      return <AppearanceSection />;
  }
}

// Each section but the smallest is loaded separately, because a visit to the settings is about one of them.
const UsersSection = late(() =>
  import("./users/users-section.tsx").then((part) => part.UsersSection),
);
const SessionsSection = late(() =>
  import("./sessions-section.tsx").then((part) => part.SessionsSection),
);
const TokensSection = late(() =>
  import("./tokens/tokens-section.tsx").then((part) => part.TokensSection),
);
const NotificationsSection = late(() =>
  import("./notifications/notifications-section.tsx").then((part) => part.NotificationsSection),
);
const ApprovalSection = late(() =>
  import("./approval/approval-section.tsx").then((part) => part.ApprovalSection),
);
const ControllersSection = late(() =>
  import("./controllers-section.tsx").then((part) => part.ControllersSection),
);
const FlagsSection = late(() => import("./flags-section.tsx").then((part) => part.FlagsSection));
