"use client";
import { speakerFor } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import { usePathname } from "next/navigation";
import { type ReactNode, useRef } from "react";
import { Link } from "../../components/link.tsx";
import { useCurrentInSight } from "../../components/scroll-edges/use-current-in-sight.ts";
import { addresses } from "../../components/url/addresses.ts";
import { badgesOf, NO_HEALTH } from "../wording/health-messages.ts";
import { presentNodes } from "../wording/nodes-sentence.ts";
import styles from "./navigation.module.css";
import { nodesFirst } from "./nodes-first.ts";

interface Entry {
  readonly href: string;
  /** The link's initial target, if it is not the whole page. */
  readonly first?: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly badge?: Badge;
}

interface Badge {
  readonly count: number;
  /** What is counted, for users who cannot rely on the colour. */
  readonly words: string;
  readonly tone: "stuck" | "plain";
}

/** The pages of a cluster. A badge counts only what needs a user. */
export function Navigation({
  cluster,
  view,
}: {
  readonly cluster: string;
  readonly view: ClusterView | undefined;
}) {
  const path = usePathname();
  const navigation = useRef<HTMLElement>(null);
  const entries = entriesOf(cluster, view, path);
  // On a narrow screen, the entries are a row that scrolls.
  useCurrentInSight(navigation, `${path} ${entries.length}`);
  return (
    <nav ref={navigation} className={styles.navigation} aria-label={t`Pages`}>
      <ul>
        {entries.map(({ href, first = href, label, icon, badge }) => (
          <li key={href}>
            <Link
              href={first}
              className={`flex centred pad-0-3 medium second round ${styles.link}`}
              aria-current={isWithin(path, href, cluster) ? "page" : undefined}
            >
              {icon}
              <span>{label}</span>
              {badge === undefined || badge.count === 0 ? null : (
                <span
                  className={`push relative caption heavy figures ink sunken pill ${styles.badge}`}
                  data-tone={badge.tone}
                >
                  {badge.count}
                  <span className="visually-hidden"> {badge.words}</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function entriesOf(cluster: string, view: ClusterView | undefined, path: string): readonly Entry[] {
  const { needs } = view?.health ?? NO_HEALTH;
  const badges = badgesOf(needs);
  const open = view?.openIntents ?? 0;
  return [
    { href: addresses.overview(cluster), label: t`Overview`, icon: ICONS.overview },
    {
      href: addresses.nodes(cluster),
      first: nodesFirst(cluster, view),
      label: t`Nodes`,
      icon: ICONS.nodes,
      badge: {
        count: badges.nodes,
        words: needs.held === 0 ? t`stuck` : t`stuck or held back`,
        tone: "stuck",
      },
    },
    {
      href: addresses.balancers(cluster),
      label: t`Load balancers`,
      icon: ICONS.balancers,
      badge: { count: badges.balancers, words: t`stuck`, tone: "stuck" },
    },
    {
      href: addresses.routes(cluster),
      label: t`Routes`,
      icon: ICONS.routes,
      badge: { count: badges.routes, words: t`stuck`, tone: "stuck" },
    },
    { href: addresses.topology(cluster), label: t`Topology`, icon: ICONS.topology },
    { href: addresses.runs(cluster), label: t`Runs`, icon: ICONS.runs },
    { href: addresses.changes(cluster), label: t`Changes`, icon: ICONS.changes },
    {
      href: addresses.actions(cluster),
      label: t`Actions`,
      icon: ICONS.actions,
      badge: { count: open, words: t`open`, tone: "plain" },
    },
    { href: addresses.audit(cluster), label: t`Audit`, icon: ICONS.audit },
    {
      href: addresses.controllers(cluster),
      label: t`Controllers`,
      icon: ICONS.controllers,
      badge: {
        count: view?.leader?.missingPermissions?.length ?? 0,
        words: t`permissions missing`,
        tone: "stuck",
      },
    },
    { href: addresses.budget(cluster), label: t`Budget`, icon: ICONS.budget },
    // Known only once the cluster's state has arrived: further up, they would push other entries away from under a pointer.
    ...volumesEntry(cluster, view, badges),
    ...takeoverEntry(cluster, view, path),
    { href: addresses.settings(), label: t`Settings`, icon: ICONS.settings },
  ];
}

/** Few clusters have disks that we label: the page is listed if there are any, or if the loop runs. */
function volumesEntry(
  cluster: string,
  view: ClusterView | undefined,
  { volumes }: ReturnType<typeof badgesOf>,
): readonly Entry[] {
  const states = view?.volumes.states;
  const runs = view?.leader?.controllers.some(
    ({ name }) => name === speakerFor("PersistentVolume"),
  );
  if (states === undefined || (presentNodes(states) === 0 && runs !== true)) return [];
  return [
    {
      href: addresses.volumes(cluster),
      label: t`Volumes`,
      icon: ICONS.volumes,
      badge: { count: volumes, words: t`stuck`, tone: "stuck" },
    },
  ];
}

/** Few clusters take anything over, and only once: the page is listed while something waits, and while it is open. */
function takeoverEntry(
  cluster: string,
  view: ClusterView | undefined,
  path: string,
): readonly Entry[] {
  const href = addresses.takeover(cluster);
  const { balancers: loadBalancers, routes } = view?.waiting ?? { balancers: 0, routes: 0 };
  const count = loadBalancers + routes;
  if (count === 0 && path !== href) return [];
  const badge = { count, words: t`wait for consent`, tone: "stuck" } as const;
  return [{ href, label: t`Takeover`, icon: ICONS.takeover, badge }];
}

/** All pages of a cluster are below the address of its overview, and all settings below one path. */
function isWithin(path: string, href: string, cluster: string): boolean {
  if (href === addresses.overview(cluster)) return path === href;
  if (href === addresses.settings()) return path.startsWith("/settings");
  return path.startsWith(href);
}

const ICONS = {
  overview: icon(<path d="M2.2 8.4 8 2.8l5.8 5.6M4 7.2v6h8v-6" />),
  nodes: icon(
    <>
      <rect x="2.2" y="2.5" width="11.6" height="4.4" rx="1.2" />
      <rect x="2.2" y="9.1" width="11.6" height="4.4" rx="1.2" />
      <path d="M5 4.7h.01M5 11.3h.01" />
    </>,
  ),
  balancers: icon(
    <>
      <circle cx="8" cy="3.4" r="1.7" />
      <circle cx="3" cy="12.6" r="1.7" />
      <circle cx="8" cy="12.6" r="1.7" />
      <circle cx="13" cy="12.6" r="1.7" />
      <path d="M8 5.1v5.8M8 8H3v2.9M8 8h5v2.9" />
    </>,
  ),
  routes: icon(
    <>
      <circle cx="3.4" cy="12.4" r="1.7" />
      <circle cx="12.6" cy="3.6" r="1.7" />
      <path d="M5.1 12.4h4.3a2.2 2.2 0 0 0 0-4.4H6.6a2.2 2.2 0 0 1 0-4.4h4.3" />
    </>,
  ),
  topology: icon(
    <>
      <rect x="5.6" y="2" width="4.8" height="3.4" rx="1" />
      <rect x="1.6" y="10.6" width="4.8" height="3.4" rx="1" />
      <rect x="9.6" y="10.6" width="4.8" height="3.4" rx="1" />
      <path d="M8 5.4v2.6M4 10.6V8h8v2.6" />
    </>,
  ),
  volumes: icon(
    <>
      <ellipse cx="8" cy="4" rx="5.2" ry="2" />
      <path d="M2.8 4v8c0 1.1 2.3 2 5.2 2s5.2-.9 5.2-2V4M2.8 8c0 1.1 2.3 2 5.2 2s5.2-.9 5.2-2" />
    </>,
  ),
  takeover: icon(
    <>
      <path d="M2.2 5.2h9.4M9 2.4l2.8 2.8L9 8" />
      <path d="M13.8 10.8H4.4M7 8l-2.8 2.8L7 13.6" />
    </>,
  ),
  runs: icon(<path d="M2 3.5h6M4.5 8h6M8 12.5h6" />),
  changes: icon(<path d="M8 2.4v6M5 5.4h6M5 12.6h6M2 8.9" />),
  audit: icon(
    <>
      <path d="M3.2 2.2h7l2.6 2.6v9H3.2Z" />
      <path d="m5.4 9 1.8 1.8 3.4-3.8" />
    </>,
  ),
  settings: icon(
    <>
      <path d="M2 4.6h6M12 4.6h2M2 11.4h2M8 11.4h6" />
      <circle cx="10" cy="4.6" r="1.8" />
      <circle cx="6" cy="11.4" r="1.8" />
    </>,
  ),
  controllers: icon(
    <>
      <path d="M13.2 6.4A5.5 5.5 0 0 0 3.1 5.6M2.8 9.6a5.5 5.5 0 0 0 10.1.8" />
      <path d="M3 2.6v3h3M13 13.4v-3h-3" />
    </>,
  ),
  budget: icon(
    <>
      <path d="M2.4 12.4a5.9 5.9 0 1 1 11.2 0" />
      <path d="m8 10.4 2.8-4" />
    </>,
  ),
  actions: icon(<path d="M8.8 1.8 3.2 9h4.2l-.6 5.2L12.8 7H8.4Z" />),
};

function icon(shape: ReactNode) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" className={styles.icon}>
      {shape}
    </svg>
  );
}
