"use client";
import { t } from "@cloudwright/core/model/language/text";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../../components/api.ts";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusters } from "../../live/use-cluster.ts";
import { type FoundEntry, foundEntries } from "./found-entries.ts";
import { type Group, PaletteDialog } from "./palette-dialog.tsx";
import { foundLine, jumpLine, settingLine, useGo } from "./palette-lines.tsx";
import { type Jump, settingsPages } from "./palette-pages.ts";
import { settingsFor, useSettingEntries } from "./palette-settings.ts";
import { type SearchProgress, searchProgress } from "./search-progress.ts";

/** Ctrl+K on pages without a cluster: go to a cluster, or to whatever a pasted text means in any of them. */
export function FleetPalette() {
  const [query, setQuery] = useState("");
  const { found, progress } = useFound(query);
  return (
    <PaletteDialog
      groups={useGroups(query, found)}
      progress={progress}
      query={query}
      onQuery={setQuery}
      placeholder={t`Name, IP address, provider ID, UID, or ID of a request, run or action`}
    />
  );
}

function useGroups(query: string, found: readonly FoundInOne[]): readonly Group[] {
  const go = useGo();
  const jumps = useJumps(query);
  const settings = settingsFor(query, useSettingEntries());
  const setting = { label: t`Set`, lines: settings.entries.map(settingLine) };
  return [
    ...(settings.isWhole ? [setting] : []),
    ...found.map(({ name, entries }) => ({
      label: name,
      lines: entries.map((entry) => foundLine(entry, go)),
    })),
    { label: t`Go to`, lines: jumps.map((jump) => jumpLine(jump, go)) },
    ...(settings.isWhole ? [] : [setting]),
  ].filter(({ lines }) => lines.length > 0);
}

/** Clusters come first, because most users look for one. */
function useJumps(query: string): readonly Jump[] {
  const clusters = useClusters({}).data ?? [];
  const text = query.trim().toLowerCase();
  return [
    ...clusters.map(({ id, name }) => ({ label: name, href: addresses.overview(id) })),
    { label: t`All clusters`, href: addresses.clusters() },
    { label: t`Compare versions and flags`, href: addresses.compare() },
    ...settingsPages(),
  ].filter(({ label }) => label.toLowerCase().includes(text));
}

/** What a text means in one cluster. */
interface FoundInOne {
  readonly name: string;
  readonly entries: readonly FoundEntry[];
}

function useFound(query: string): {
  readonly found: readonly FoundInOne[];
  readonly progress: SearchProgress;
} {
  const api = useApi();
  const [text] = useDebouncedValue(query.trim(), 150);
  const search = useQuery(
    api.fleet.find.queryOptions(
      { text },
      { enabled: text !== "", placeholderData: keepPreviousData },
    ),
  );
  const progress = searchProgress(search, query, text);
  const { data } = search;
  if (text === "" || query.trim() === "" || data === undefined) return { found: [], progress };
  const found = data.clusters.map(({ cluster, name, found: own }) => ({
    name,
    entries: foundEntries(cluster, text, own),
  }));
  return { found, progress };
}
