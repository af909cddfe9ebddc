"use client";
import { Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, type SpotlightStore } from "@mantine/spotlight";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useApi } from "../../components/api.ts";
import { StatusIcon } from "../../components/status/status-icon.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusters } from "../live/use-cluster.ts";
import { type FoundEntry, foundEntries } from "./found-entries.ts";
import { paletteStore } from "./palette-request.ts";

/**
 * Ctrl+K: go to a page, or to whatever a pasted text means: a name, address, UID, provider ID or instance id, the id of a cloud
 * call, a run or an action.
 */
export function Palette({ cluster }: { readonly cluster: string }) {
  const [query, setQuery] = useState("");
  const router = useRouter();
  const found = useFound(cluster, query);
  const go = (href: string) => () => router.push(href);
  const elsewhere = useSearchEverywhere(query);
  const jumps = [...jumpsFor(cluster, query), ...elsewhere];
  const entries = [...found, ...jumps].map(({ href }) => href).join();
  const isMoved = useRef(false);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "ArrowDown" || key === "ArrowUp") isMoved.current = true;
  };
  return (
    <Spotlight.Root
      store={paletteStore}
      query={query}
      onQueryChange={setQuery}
      shortcut={["mod + K"]}
      tagsToIgnore={[]}
      maxHeight={420}
      scrollable
      overlayProps={{ backgroundOpacity: 0.35 }}
    >
      <Modal.Title className="visually-hidden">Search or jump</Modal.Title>
      <Spotlight.Search
        placeholder="Search nodes and Services, paste an id or address, or go to a page"
        aria-label="Search or jump"
        onKeyDown={onKeyDown}
      />
      <Spotlight.ActionsList>
        {groupsOf(found).map(([group, members]) => (
          <Spotlight.ActionsGroup key={group} label={group}>
            {members.map(({ href, label, description, status }) => (
              <Spotlight.Action
                key={href}
                label={label}
                description={description}
                leftSection={status === undefined ? null : <StatusIcon status={status} />}
                onClick={go(href)}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {jumps.length === 0 ? null : (
          <Spotlight.ActionsGroup label="Go to">
            {jumps.map(({ label, href }) => (
              <Spotlight.Action key={href} label={label} onClick={go(href)} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {entries === "" ? <Spotlight.Empty>Nothing found for “{query}”</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
      <PaletteHighlight store={paletteStore} entries={entries} query={query} isMoved={isMoved} />
    </Spotlight.Root>
  );
}

function groupsOf(found: readonly FoundEntry[]): readonly [string, readonly FoundEntry[]][] {
  const groups = [...new Set(found.map(({ group }) => group))];
  return groups.map((group) => [group, found.filter((entry) => entry.group === group)]);
}

function useFound(cluster: string, query: string): readonly FoundEntry[] {
  const api = useApi();
  const [text] = useDebouncedValue(query.trim(), 150);
  const { data } = useQuery(
    api.search.find.queryOptions(
      { cluster, text },
      { enabled: text !== "", placeholderData: keepPreviousData },
    ),
  );
  if (text === "" || query.trim() === "" || data === undefined) return [];
  return foundEntries(cluster, text, data);
}

/** The way from this cluster's search to that of all, where there are others. */
function useSearchEverywhere(query: string): readonly Jump[] {
  const text = query.trim();
  const { data } = useClusters({ enabled: text !== "" });
  if (text === "" || (data ?? []).length < 2) return [];
  return [{ label: `Search all clusters for “${text}”`, href: addresses.findInClusters(text) }];
}

/**
 * Keeps one entry of the palette chosen. Mantine chooses the first one when the query changes and knows nothing of entries that
 * come or go later: the choice would stay on what is no longer the first, or vanish. What a user chose by the arrow keys
 * stays chosen as long as it is there. Stands after the list, so that the list is known when this looks for it.
 */
function PaletteHighlight({
  store,
  entries,
  query,
  isMoved,
}: {
  readonly store: SpotlightStore;
  /** Says when the list has become another one. */
  readonly entries: string;
  readonly query: string;
  /** Set when a user moves the choice. */
  readonly isMoved: RefObject<boolean>;
}) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query begins with its first entry.
  useEffect(() => {
    isMoved.current = false;
  }, [query, isMoved]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other entries are another list in the document.
  useEffect(() => {
    const state = store.getState();
    const actions = actionsOf(state.listId);
    const marked = actions.findIndex(({ dataset }) => dataset.selected !== undefined);
    const selected = isMoved.current && marked >= 0 ? marked : 0;
    actions.forEach((action, index) => {
      if (index === selected) action.dataset.selected = "true";
      else delete action.dataset.selected;
    });
    store.setState({ ...state, selected: actions.length === 0 ? -1 : selected });
  }, [entries, query, store, isMoved]);
  return null;
}

function actionsOf(listId: string): readonly HTMLElement[] {
  const list = document.getElementById(listId);
  return [...(list?.querySelectorAll<HTMLElement>("[data-action]") ?? [])];
}

interface Jump {
  readonly label: string;
  readonly href: string;
}

/** Where the palette can go besides what it finds: the pages whose name matches. */
export function jumpsFor(cluster: string, query: string): readonly Jump[] {
  const text = query.trim().toLowerCase();
  return pages(cluster).filter(({ label }) => label.toLowerCase().includes(text));
}

function pages(cluster: string): readonly Jump[] {
  const nodes = addresses.nodes(cluster);
  return [
    { label: "Overview", href: addresses.overview(cluster) },
    { label: "Nodes", href: nodes },
    { label: "Nodes that are stuck", href: `${nodes}?state=stuck` },
    { label: "Nodes that drifted", href: `${nodes}?drift=drifted` },
    { label: "Load balancers", href: addresses.balancers(cluster) },
    {
      label: "Load balancers that are stuck",
      href: `${addresses.balancers(cluster)}?state=stuck`,
    },
    {
      label: "Load balancers that drifted",
      href: `${addresses.balancers(cluster)}?drift=drifted`,
    },
    { label: "Load balancers without a Service", href: addresses.orphans(cluster) },
    { label: "Routes", href: addresses.routes(cluster) },
    { label: "Routes that are stuck", href: addresses.routes(cluster, "?state=stuck") },
    { label: "Routes that drifted", href: addresses.routes(cluster, "?drift=drifted") },
    { label: "Routes that are not ours", href: addresses.routes(cluster, "?show=foreign") },
    { label: "Routes of ours without a node", href: addresses.routes(cluster, "?show=stale") },
    { label: "Routes on a map of the tables", href: addresses.routes(cluster, "?show=map") },
    { label: "Topology: zones and nodes", href: addresses.topology(cluster) },
    {
      label: "Topology: Services and what is behind them",
      href: addresses.topology(cluster, "?show=services"),
    },
    { label: "Volumes", href: addresses.volumes(cluster) },
    { label: "Takeover from an earlier manager", href: addresses.takeover(cluster) },
    { label: "Dry run: what it would do", href: addresses.dryRun(cluster) },
    { label: "Runs", href: addresses.runs(cluster) },
    { label: "Runs that failed", href: addresses.runs(cluster, "outcome:failed") },
    { label: "Runs that changed something", href: addresses.runs(cluster, "outcome:changed") },
    { label: "Actions", href: addresses.actions(cluster) },
    { label: "Audit", href: addresses.audit(cluster) },
    { label: "Audit: what was refused", href: addresses.audit(cluster, "?q=result:refused") },
    { label: "Audit: sign-ins and users", href: addresses.audit(cluster, "?chain=accounts") },
    { label: "Controllers", href: addresses.controllers(cluster) },
    { label: "Budget: calls to the cloud", href: addresses.budget(cluster) },
    { label: "Budget of the last day", href: addresses.budget(cluster, "?range=day") },
    { label: "Settings: users and roles", href: addresses.settings("users") },
    { label: "Settings: sessions and password", href: addresses.settings("sessions") },
    { label: "Settings: controllers", href: addresses.settings("controllers") },
    { label: "Settings: controller flags", href: addresses.settings("flags") },
    { label: "Settings: appearance", href: addresses.settings("appearance") },
    { label: "All clusters", href: addresses.clusters() },
  ];
}
