"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Modal } from "@mantine/core";
import { Spotlight } from "@mantine/spotlight";
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { mixed } from "../../../components/language/mixed-text.ts";
import { PaletteHighlight } from "./palette-highlight.tsx";
import { paletteStore } from "./palette-request.ts";
import type { SearchProgress } from "./search-progress.ts";

/** One line of the palette: a link, an action or a setting. */
export interface Line {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly section?: ReactNode;
  readonly whyNot?: string | undefined;
  /** Typing continues, so the palette stays open. */
  readonly staysOpen?: boolean;
  readonly run: () => void;
}

export interface Group {
  readonly label: string;
  readonly lines: readonly Line[];
}

/** The palette's appearance, whatever its lines come from. */
export function PaletteDialog({
  groups,
  progress,
  query,
  onQuery,
  placeholder,
  returnsFocus = true,
  onOpen = () => undefined,
}: {
  readonly groups: readonly Group[];
  readonly progress: SearchProgress;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly placeholder: string;
  /** A dialog that a line opens takes the focus; the palette must not move it back. */
  readonly returnsFocus?: boolean;
  readonly onOpen?: () => void;
}) {
  const lines = groups.flatMap((group) => group.lines);
  const isMoved = useRef(false);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "ArrowDown" || key === "ArrowUp") isMoved.current = true;
  };
  return (
    <Spotlight.Root
      store={paletteStore}
      query={query}
      onQueryChange={onQuery}
      onSpotlightOpen={onOpen}
      returnFocus={returnsFocus}
      shortcut={["mod + K"]}
      tagsToIgnore={[]}
      maxHeight={420}
      scrollable
      overlayProps={{ backgroundOpacity: 0.35 }}
    >
      <Modal.Title className="visually-hidden">{t`Search or jump`}</Modal.Title>
      <Spotlight.Search
        placeholder={placeholder}
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
        <SearchNote progress={progress} query={query} isEmpty={lines.length === 0} />
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

/** Why there are no lines, or fewer than there may be. */
function SearchNote({
  progress,
  query,
  isEmpty,
}: {
  readonly progress: SearchProgress;
  readonly query: string;
  readonly isEmpty: boolean;
}) {
  if (progress.kind === "failed") {
    return (
      <p role="alert" className="failure small">
        {t`The search failed. ${progress.sentence} You can still go to pages from here.`}
      </p>
    );
  }
  if (!isEmpty) return null;
  return (
    <Spotlight.Empty>
      {progress.kind === "done"
        ? mixed`Nothing found for “${query}”`
        : mixed`Searching for “${query}”…`}
    </Spotlight.Empty>
  );
}

/** Entries that the user may not request stay visible, and say why. */
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
