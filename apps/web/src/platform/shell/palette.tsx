"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useRef, useState } from "react";
import { useApi } from "../../components/api.ts";
import { mixed } from "../../components/language/mixed-text.ts";
import { StatusIcon } from "../../components/status/status-icon.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { openDialog } from "../actions/dialog-store.ts";
import { useWhyNots } from "../actions/use-leave.ts";
import { useCluster, useClusters } from "../live/use-cluster.ts";
import { viewsFor } from "../views/find-views.ts";
import { aboutView } from "../views/saved-view-words.ts";
import { showColumnsOf, useSavedViews, viewHref } from "../views/use-saved-views.ts";
import { type FoundEntry, foundEntries } from "./found-entries.ts";
import { type ActionEntry, actionEntries, typedActions } from "./palette-actions.ts";
import { PaletteHighlight } from "./palette-highlight.tsx";
import { type Jump, jumpsFor } from "./palette-pages.ts";
import { paletteStore } from "./palette-request.ts";
import { type SettingEntry, settingsFor, useSettingEntries } from "./palette-settings.ts";

/** One line of the palette: what it leads to, has done, or sets. */
interface Line {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly section?: React.ReactNode;
  readonly whyNot?: string | undefined;
  /** What is typed goes on, so the palette stays open. */
  readonly staysOpen?: boolean;
  readonly run: () => void;
}

interface Group {
  readonly label: string;
  readonly lines: readonly Line[];
}

/**
 * Ctrl+K: go to a page, or to whatever a pasted text means: a name, address, UID, provider ID or instance id, the id of a cloud
 * call, a run or an action. Or have something done, whose dialog then opens: "hold node-21"; or set something: "dark".
 */
export function Palette({ cluster }: { readonly cluster: string }) {
  const [query, setQuery] = useState("");
  // A dialog that opens takes the focus; the palette must not take it back to where it was.
  const [isActing, setActing] = useState(false);
  const groups = useGroups(cluster, { query, setQuery, onAct: () => setActing(true) });
  const lines = groups.flatMap((group) => group.lines);
  const isMoved = useRef(false);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "ArrowDown" || key === "ArrowUp") isMoved.current = true;
  };
  return (
    <Spotlight.Root
      store={paletteStore}
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={() => setActing(false)}
      returnFocus={!isActing}
      shortcut={["mod + K"]}
      tagsToIgnore={[]}
      maxHeight={420}
      scrollable
      overlayProps={{ backgroundOpacity: 0.35 }}
    >
      <Modal.Title className="visually-hidden">{t`Search or jump`}</Modal.Title>
      <Spotlight.Search
        placeholder={t`Search, go to a page, or type what to do: hold node-1, pause, dark`}
        aria-label={t`Search or jump`}
        onKeyDown={onKeyDown}
      />
      <Spotlight.ActionsList>
        {groups.map((group) => (
          <Spotlight.ActionsGroup key={group.label} label={group.label}>
            {group.lines.map((line) => (
              <PaletteLine key={line.id} line={line} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {lines.length === 0 ? (
          <Spotlight.Empty>{mixed`Nothing found for “${query}”`}</Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
      <PaletteHighlight
        store={paletteStore}
        entries={lines.map(({ id }) => id).join()}
        query={query}
        isMoved={isMoved}
      />
    </Spotlight.Root>
  );
}

/** What may not be asked for stays, and says why. */
function PaletteLine({
  line: { label, description, section, whyNot, staysOpen = false, run },
}: {
  readonly line: Line;
}) {
  const isClosed = whyNot !== undefined;
  return (
    <Spotlight.Action
      label={label}
      description={whyNot ?? description ?? ""}
      leftSection={section}
      closeSpotlightOnTrigger={!isClosed && !staysOpen}
      aria-disabled={isClosed || undefined}
      onClick={isClosed ? undefined : run}
    />
  );
}

interface Typing {
  readonly query: string;
  readonly setQuery: (query: string) => void;
  /** Before a dialog is opened. */
  readonly onAct: () => void;
}

/** What is named in full comes first; what a text only begins to name, after what it was found to mean. */
function useGroups(cluster: string, typing: Typing): readonly Group[] {
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
  return [
    ...(isDoing ? [doing] : []),
    ...(settings.isWhole ? [setting] : []),
    ...found,
    views,
    pages,
    ...(isDoing ? [] : [doing]),
    ...(settings.isWhole ? [] : [setting]),
  ].filter(({ lines }) => lines.length > 0);
}

function useGo(): (href: string) => () => void {
  const router = useRouter();
  return (href) => () => router.push(href);
}

function jumpLine({ label, href }: Jump, go: (href: string) => () => void): Line {
  return { id: href, label, run: go(href) };
}

function settingLine({ label, isSet, set }: SettingEntry): Line {
  return { id: `set ${label}`, label, description: isSet ? t`Current setting` : "", run: set };
}

function groupsOf(
  found: readonly FoundEntry[],
  go: (href: string) => () => void,
): readonly Group[] {
  const groups = [...new Set(found.map(({ group }) => group))];
  return groups.map((group) => ({
    label: group,
    lines: found
      .filter((entry) => entry.group === group)
      .map(({ href, label, description, status }) => ({
        ...{ id: href, label, description, run: go(href) },
        section: status === undefined ? null : <StatusIcon status={status} />,
      })),
  }));
}

/** The views whose name has what is typed. */
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
  const { data } = useQuery(
    api.search.find.queryOptions(
      { cluster, text },
      { enabled: text !== "", placeholderData: keepPreviousData },
    ),
  );
  if (text === "" || query.trim() === "" || data === undefined) return NOTHING;
  return { objects: data.objects, entries: foundEntries(cluster, text, data) };
}

const NOTHING = { objects: [], entries: [] } as const;

/** The way from this cluster's search to that of all, where there are others. */
function useSearchEverywhere(query: string): readonly Jump[] {
  const text = query.trim();
  const { data } = useClusters({ enabled: text !== "" });
  if (text === "" || (data ?? []).length < 2) return [];
  return [{ label: t`Search all clusters for “${text}”`, href: addresses.findInClusters(text) }];
}
