"use client";
import { t } from "@cloudwright/core/model/language/text";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../../components/api.ts";
import { addresses } from "../../../components/url/addresses.ts";
import { openDialog } from "../../actions/dialog-store.ts";
import { useWhyNots } from "../../actions/use-leave.ts";
import { useCluster, useClusters } from "../../live/use-cluster.ts";
import { viewsFor } from "../../views/find-views.ts";
import { aboutView } from "../../views/saved-view-words.ts";
import { showColumnsOf, useSavedViews, viewHref } from "../../views/use-saved-views.ts";
import { type FoundEntry, foundEntries } from "./found-entries.ts";
import { type ActionEntry, actionEntries, typedActions } from "./palette-actions.ts";
import { type Group, type Line, PaletteDialog } from "./palette-dialog.tsx";
import { foundLine, jumpLine, settingLine, useGo } from "./palette-lines.tsx";
import { type Jump, jumpsFor } from "./palette-pages.ts";
import { settingsFor, useSettingEntries } from "./palette-settings.ts";
import { type SearchProgress, searchProgress } from "./search-progress.ts";

/**
 * Ctrl+K: go to a page, or to whatever a pasted text means: a name, address, UID, provider ID or instance id, the id of a cloud call, a run
 * or an action. Or open the dialog of an action, such as "hold node-21", or change a setting, such as "dark".
 */
export function Palette({ cluster }: { readonly cluster: string }) {
  const [query, setQuery] = useState("");
  const [isActing, setActing] = useState(false);
  const { groups, progress } = useGroups(cluster, {
    ...{ query, setQuery, onAct: () => setActing(true) },
  });
  return (
    <PaletteDialog
      groups={groups}
      progress={progress}
      query={query}
      onQuery={setQuery}
      placeholder={t`Search, go to a page, or type what to do: hold node-1, pause, dark`}
      returnsFocus={!isActing}
      onOpen={() => setActing(false)}
    />
  );
}

interface Typing {
  readonly query: string;
  readonly setQuery: (query: string) => void;
  /** Called before a dialog opens. */
  readonly onAct: () => void;
}

/** Entries named in full come first; those that a text only begins to name come after what it was found to mean. */
function useGroups(
  cluster: string,
  typing: Typing,
): { readonly groups: readonly Group[]; readonly progress: SearchProgress } {
  const { query } = typing;
  const typed = typedActions(query);
  const object = typed.find(({ isWhole, rest }) => isWhole && rest !== "")?.rest;
  const search = useFound(cluster, object ?? query);
  const isDoing = typed.some(({ isWhole }) => isWhole);
  const doing = { label: t`Do`, lines: useActionLines(cluster, { typed, found: search, typing }) };
  const settings = settingsFor(query, useSettingEntries());
  const setting = { label: t`Set`, lines: settings.entries.map(settingLine) };
  const go = useGo();
  const found = groupsOf(search.entries, go);
  const views = { label: t`Views`, lines: useViewLines(cluster, query) };
  const jumps = [...jumpsFor(cluster, query), ...useSearchEverywhere(query)];
  const pages = { label: t`Go to`, lines: jumps.map((jump) => jumpLine(jump, go)) };
  const groups = [
    ...(isDoing ? [doing] : []),
    ...(settings.isWhole ? [setting] : []),
    ...found,
    views,
    pages,
    ...(isDoing ? [] : [doing]),
    ...(settings.isWhole ? [] : [setting]),
  ].filter(({ lines }) => lines.length > 0);
  return { groups, progress: search.progress };
}

function groupsOf(
  found: readonly FoundEntry[],
  go: (href: string) => () => void,
): readonly Group[] {
  const groups = [...new Set(found.map(({ group }) => group))];
  return groups.map((group) => ({
    label: group,
    lines: found.filter((entry) => entry.group === group).map((entry) => foundLine(entry, go)),
  }));
}

/** The views whose name contains the typed text. */
function useViewLines(cluster: string, query: string): readonly Line[] {
  const go = useGo();
  const { data = [] } = useSavedViews({ enabled: query.trim() !== "" });
  return viewsFor(data, query).map((view) => ({
    ...{ id: `view ${view.id}`, label: view.name, description: aboutView(view, cluster) },
    run: () => {
      showColumnsOf(view);
      go(viewHref(view, cluster))();
    },
  }));
}

type Search = ReturnType<typeof useFound>;

function useActionLines(
  cluster: string,
  {
    typed,
    found,
    typing,
  }: {
    readonly typed: ReturnType<typeof typedActions>;
    readonly found: Search;
    readonly typing: Typing;
  },
): readonly Line[] {
  const leader = useCluster(cluster).data?.leader;
  const whyNot = useWhyNots();
  const entries = actionEntries({ cluster, typed, leader, objects: found.objects });
  return entries.map((entry) => ({
    ...actionLine(entry, typing),
    whyNot: whyNot(entry.asks) ?? entry.obstacle,
  }));
}

function actionLine(
  { id, label, description, choice, completes }: ActionEntry,
  { setQuery, onAct }: Typing,
): Line {
  const open = () => {
    if (choice === undefined) return;
    onAct();
    openDialog({ choice, opener: undefined });
  };
  const line = { id: `do ${id}`, label, description };
  return completes === undefined
    ? { ...line, run: open }
    : { ...line, staysOpen: true, run: () => setQuery(completes) };
}

function useFound(cluster: string, query: string) {
  const api = useApi();
  const [text] = useDebouncedValue(query.trim(), 150);
  const found = useQuery(
    api.search.find.queryOptions(
      { cluster, text },
      { enabled: text !== "", placeholderData: keepPreviousData },
    ),
  );
  const { data } = found;
  const progress = searchProgress(found, query, text);
  if (text === "" || query.trim() === "" || data === undefined) return { ...NOTHING, progress };
  return { objects: data.objects, entries: foundEntries(cluster, text, data), progress };
}

const NOTHING = { objects: [], entries: [] } as const;

/** The link from this cluster's search to that of all clusters, if there are others. */
function useSearchEverywhere(query: string): readonly Jump[] {
  const text = query.trim();
  const { data } = useClusters({ enabled: text !== "" });
  if (text === "" || (data ?? []).length < 2) return [];
  return [{ label: t`Search all clusters for “${text}”`, href: addresses.findInClusters(text) }];
}
