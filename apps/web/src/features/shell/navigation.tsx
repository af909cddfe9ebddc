"use client";
import type { ClusterView } from "@cloudwright/store/views";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { addresses } from "../../components/url/addresses.ts";
import styles from "./navigation.module.css";

/** The pages of a cluster. A badge counts only what needs a person. */
export function Navigation({
  cluster,
  view,
}: {
  readonly cluster: string;
  readonly view: ClusterView | undefined;
}) {
  const path = usePathname();
  const entries = [
    {
      href: addresses.nodes(cluster),
      label: "Nodes",
      icon: ICONS.nodes,
      badge: view?.nodes.stuck ?? 0,
      badgeText: "stuck",
    },
    { href: addresses.runs(cluster), label: "Runs", icon: ICONS.runs, badge: 0, badgeText: "" },
    {
      href: addresses.actions(cluster),
      label: "Actions",
      icon: ICONS.actions,
      badge: view?.openIntents ?? 0,
      badgeText: "open",
    },
  ];
  return (
    <nav className={styles.navigation} aria-label="Pages">
      <ul>
        {entries.map(({ href, label, icon, badge, badgeText }) => (
          <li key={href}>
            <Link
              href={href}
              className={styles.link}
              aria-current={path.startsWith(href) ? "page" : undefined}
            >
              {icon}
              <span>{label}</span>
              {badge > 0 ? (
                <span className={styles.badge} data-tone={badgeText}>
                  {badge}
                  <span className="visually-hidden"> {badgeText}</span>
                </span>
              ) : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const ICONS = {
  nodes: icon(
    <>
      <rect x="2.2" y="2.5" width="11.6" height="4.4" rx="1.2" />
      <rect x="2.2" y="9.1" width="11.6" height="4.4" rx="1.2" />
      <path d="M5 4.7h.01M5 11.3h.01" />
    </>,
  ),
  runs: icon(<path d="M2 3.5h6M4.5 8h6M8 12.5h6" />),
  actions: icon(<path d="M8.8 1.8 3.2 9h4.2l-.6 5.2L12.8 7H8.4Z" />),
};

function icon(shape: ReactNode) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" className={styles.icon}>
      {shape}
    </svg>
  );
}
