"use client";
import { Menu, useMantineColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useApi } from "../../components/api.ts";
import { Brand } from "../../components/brand.tsx";
import { Button } from "../../components/button.tsx";
import { Caret } from "../../components/choice-menu.tsx";
import { changePreferences, usePreferences } from "../../components/preferences.ts";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusIcon } from "../../components/status-icon.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { clusterState } from "../clusters/cluster-state.ts";
import { palette } from "./palette-store.ts";
import styles from "./top-bar.module.css";
import { useViewer } from "./viewer-context.tsx";

export function TopBar({
  cluster,
  name,
}: {
  readonly cluster: string;
  readonly name: string | undefined;
}) {
  return (
    <header className={styles.bar}>
      <Link
        href={addresses.overview(cluster)}
        className={styles.brand}
        aria-label="Cloudwright, overview"
      >
        <Brand />
      </Link>
      <ClusterSwitcher cluster={cluster} name={name} />
      <button type="button" className={styles.search} onClick={() => palette.open()}>
        <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="7" cy="7" r="4.6" />
          <path d="m10.6 10.6 3.4 3.4" />
        </svg>
        <span className={styles.searchText}>Search or jump…</span>
        <kbd>Ctrl K</kbd>
      </button>
      <span className={styles.push} />
      <ZoneToggle />
      <ThemeMenu />
      <UserMenu />
    </header>
  );
}

function ClusterSwitcher({
  cluster,
  name,
}: {
  readonly cluster: string;
  readonly name: string | undefined;
}) {
  const api = useApi();
  const { data } = useQuery(api.clusters.list.queryOptions());
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <Button look="quiet" className={styles.cluster} aria-label={`Cluster ${name ?? cluster}`}>
          <span className={styles.clusterName}>{name ?? "…"}</span>
          <Caret />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Clusters</Menu.Label>
        {(data ?? []).map((other) => (
          <Menu.Item
            key={other.id}
            component={Link}
            href={addresses.overview(other.id)}
            aria-current={other.id === cluster ? "true" : undefined}
            leftSection={
              <StatusIcon status={STATE_PRESENTATION[clusterState(other, Date.now())]} size={14} />
            }
          >
            {other.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ZoneToggle() {
  const { zone } = usePreferences();
  const other = zone === "UTC" ? "local" : "UTC";
  return (
    <Button
      look="quiet"
      title={`Times are ${zone}. Show ${other} times.`}
      onClick={() => changePreferences(() => ({ zone: other }))}
    >
      {zone === "UTC" ? "UTC" : "Local"}
    </Button>
  );
}

const THEMES = { auto: "As the system", light: "Light", dark: "Dark" } as const;

function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <Button look="quiet" aria-label="Theme">
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" strokeWidth="1.5" />
            <path d="M8 1.8a6.2 6.2 0 0 1 0 12.4Z" fill="currentColor" />
          </svg>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(["auto", "light", "dark"] as const).map((scheme) => (
          <Menu.RadioItem
            key={scheme}
            value={scheme}
            checked={colorScheme === scheme}
            closeMenuOnClick
            onChange={() => setColorScheme(scheme)}
          >
            {THEMES[scheme]}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function UserMenu() {
  const { name, email, role } = useViewer();
  const { shortcuts } = usePreferences();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button look="quiet">
          <span className="visually-hidden">
            Account of {name}, {role}
          </span>
          <span className={styles.person} aria-hidden="true">
            {name}
          </span>
          <span className={styles.role} aria-hidden="true">
            {role}
          </span>
          <Caret />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {email} · {role}
        </Menu.Label>
        <Menu.CheckboxItem
          checked={shortcuts}
          onChange={() => changePreferences((now) => ({ shortcuts: !now.shortcuts }))}
        >
          Single-key shortcuts
        </Menu.CheckboxItem>
        <Menu.Divider />
        <form method="post" action="/sign-out">
          <Menu.Item component="button" type="submit">
            Sign out
          </Menu.Item>
        </form>
      </Menu.Dropdown>
    </Menu>
  );
}
