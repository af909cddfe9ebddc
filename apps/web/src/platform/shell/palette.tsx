"use client";
import { Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useRef, useState } from "react";
import { useApi } from "../../components/api.ts";
import { StatusIcon } from "../../components/status-icon.tsx";
import { type FoundEntry, foundEntries } from "./found-entries.ts";
import { jumpsFor } from "./jumps.ts";
import { PaletteHighlight } from "./palette-highlight.tsx";
import { paletteStore } from "./palette-store.ts";

/**
 * Ctrl+K: go to a page, or to whatever a pasted text means: a name, address, UID, provider ID or instance id, the id of a cloud
 * call, a run or an action.
 */
export function Palette({ cluster }: { readonly cluster: string }) {
  const [query, setQuery] = useState("");
  const router = useRouter();
  const found = useFound(cluster, query);
  const go = (href: string) => () => router.push(href);
  const jumps = jumpsFor(cluster, query);
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
