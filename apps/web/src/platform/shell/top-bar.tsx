"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Button, Caret } from "../../components/button/button.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { LazyMenu } from "../../components/menu/lazy-menu.tsx";
import { Brand } from "../../components/page/brand.tsx";
import { changePreferences, usePreferences } from "../../components/preferences.ts";
import { shortZoneLabel, type Zone, zoneLabel } from "../../components/time/zone.ts";
import { addresses } from "../../components/url/addresses.ts";
import { useViewer } from "../viewer/viewer-context.tsx";
import { expectPalette } from "./palette/lazy-palette.tsx";
import { openPalette } from "./palette/palette-request.ts";
import styles from "./top-bar.module.css";

export function TopBar({
  cluster,
  name,
}: {
  readonly cluster: string;
  readonly name: string | undefined;
}) {
  return (
    <header className={`flex centred rigid gap-2 on-surface line-below ${styles.bar}`}>
      <Link
        href={addresses.overview(cluster)}
        className={`ink ${styles.brand}`}
        aria-label={t`Cloudwright, overview`}
      >
        <Brand />
      </Link>
      <ClusterSwitcher cluster={cluster} name={name} />
      <SearchButton />
      <span className="fill" />
      <OwnSettings />
    </header>
  );
}

/** Opens the palette, and shows its keyboard shortcut. */
function SearchButton() {
  return (
    <button
      type="button"
      className={`flex centred gap-2 pad-0-3 quiet on-canvas pointer ${styles.search}`}
      onPointerEnter={expectPalette}
      onFocus={expectPalette}
      onClick={openPalette}
    >
      <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="7" cy="7" r="4.6" />
        <path d="m10.6 10.6 3.4 3.4" />
      </svg>
      <span className={`clip ellipsis nowrap ${styles.searchText}`}>{t`Search or jump…`}</span>
      <kbd>Ctrl K</kbd>
    </button>
  );
}

/** The user's settings for all pages, and who they are. */
function OwnSettings() {
  return (
    <>
      <ZoneToggle />
      <ThemeMenu />
      <UserMenu />
    </>
  );
}

/** The same bar for a page that is not about one cluster. */
export function FleetBar() {
  return (
    <header className={`flex centred rigid gap-2 on-surface line-below ${styles.bar}`}>
      <Link
        href={addresses.clusters()}
        className={`ink ${styles.brand}`}
        aria-label={t`Cloudwright, clusters`}
      >
        <Brand />
      </Link>
      <SearchButton />
      <span className="fill" />
      <Link href={addresses.settings()} className="pad-0-3 medium second">
        {t`Settings`}
      </Link>
      <OwnSettings />
    </header>
  );
}

const loadClusters = () => import("./cluster-items.tsx").then(({ ClusterItems }) => ClusterItems);

function ClusterSwitcher({
  cluster,
  name,
}: {
  readonly cluster: string;
  readonly name: string | undefined;
}) {
  const button = (
    <Button
      appearance="quiet"
      className={styles.cluster}
      aria-label={t`Cluster ${name ?? cluster}`}
    >
      <span className={styles.clusterName} title={name}>
        {name ?? "…"}
      </span>
      <Caret />
    </Button>
  );
  return <LazyMenu button={button} load={loadClusters} menu={{ cluster }} />;
}

function ZoneToggle() {
  const { zone, ownZone } = usePreferences();
  const other = zone === "UTC" ? ownZone : "UTC";
  return (
    <Button
      appearance="quiet"
      title={zoneTitle(zone, other)}
      onClick={() => changePreferences(() => ({ zone: other }))}
    >
      {shortZoneLabel(zone)}
    </Button>
  );
}

function zoneTitle(zone: Zone, other: Zone): string {
  return t`Times are in ${zoneLabel(zone)}. Show them in ${zoneLabel(other)}.`;
}

const loadThemes = () => import("./theme-items.tsx").then(({ ThemeItems }) => ThemeItems);

function ThemeMenu() {
  const button = (
    <Button appearance="quiet" aria-label={t`Theme`}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M8 1.8a6.2 6.2 0 0 1 0 12.4Z" fill="currentColor" />
      </svg>
    </Button>
  );
  return <LazyMenu button={button} load={loadThemes} menu={{}} />;
}

const loadUser = () => import("./user-items.tsx").then(({ UserItems }) => UserItems);

function UserMenu() {
  const { name, role } = useViewer();
  const button = (
    <Button appearance="quiet">
      <span className="visually-hidden">{mixed`Account of ${name}, ${role}`}</span>
      <span className={`clip ellipsis ink ${styles.person}`} aria-hidden="true">
        {name}
      </span>
      <span className={styles.role} aria-hidden="true">
        {role}
      </span>
      <Caret />
    </Button>
  );
  return <LazyMenu button={button} load={loadUser} menu={{}} />;
}
