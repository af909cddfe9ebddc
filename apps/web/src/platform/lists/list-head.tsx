"use client";
import type { State } from "@cloudwright/core/model/state";
import type { ReactNode } from "react";
import { DroppedNote } from "../../components/dropped-note.tsx";
import { PageHead } from "../../components/page-head.tsx";
import type { ChangeView } from "../../components/url/use-url-state.ts";
import { type ListView, toggleState } from "./list-view.ts";
import { StateCounters } from "./state-counters.tsx";

/** What stands above a list that is a page of its own: the answer, the states to choose from, and the filters. */
export function ListHead<View extends ListView>({
  title,
  alarm = "",
  sentence,
  counts,
  view,
  push,
  dropped,
  children,
}: {
  readonly title: string;
  /** What befell many at once. */
  readonly alarm?: string;
  readonly sentence: string | undefined;
  readonly counts: Readonly<Record<State, number>> | undefined;
  readonly view: View;
  readonly push: ChangeView<View>;
  readonly dropped: readonly string[];
  /** The filters. */
  readonly children: ReactNode;
}) {
  return (
    <>
      <PageHead title={title} alarm={alarm} sentence={sentence} />
      <StateCounters
        counts={counts}
        chosen={view.states}
        onToggle={(state) => push((now) => toggleState(now, state))}
      />
      {children}
      <DroppedNote dropped={dropped} />
    </>
  );
}
