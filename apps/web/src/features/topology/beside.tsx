"use client";
import { t, worded } from "@cloudwright/core/model/language/text";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Button } from "../../components/button/button.tsx";
import page from "../../components/page/page.module.css";
import type { ChangeView } from "../../components/url/use-url-state.ts";
import styles from "./topology.module.css";
import type { TopologyPageView } from "./topology-url.ts";

type Layout = TopologyPageView["layout"];

const LAYOUT_LABELS: Readonly<Record<Layout, string>> = worded({
  both: () => t`Both`,
  picture: () => t`Picture`,
  table: () => t`Table`,
});
const LAYOUTS = ["both", "picture", "table"] as const;

/** On a narrow screen a drawing is of no use; the table shows the same. */
export function useShownLayout({ layout }: TopologyPageView): Layout {
  const isNarrow = useMediaQuery("(max-width: 44em)", false, { getInitialValueInEffect: false });
  return isNarrow === true ? "table" : layout;
}

export function LayoutButtons({
  layout,
  push,
}: {
  readonly layout: Layout;
  readonly push: ChangeView<TopologyPageView>;
}) {
  return (
    <span className={page.wideOnly}>
      <span className="push" />
      <fieldset className={`pad-0 flush frameless ${page.plainGroup}`}>
        <legend className="visually-hidden">{t`Layout`}</legend>
        {LAYOUTS.map((each) => (
          <Button
            key={each}
            active={layout === each}
            aria-pressed={layout === each}
            onClick={() => push((now) => ({ ...now, layout: each }))}
          >
            {LAYOUT_LABELS[each]}
          </Button>
        ))}
      </fieldset>
    </span>
  );
}

/** The drawing, and the same as a table for screen reader and keyboard users. */
export function Beside({
  layout,
  picture,
  table,
}: {
  readonly layout: Layout;
  readonly picture: ReactNode;
  readonly table: ReactNode;
}) {
  return (
    <div
      className={`flex on-surface line-above ${page.tableCard} ${styles.beside}`}
      data-layout={layout}
    >
      {layout === "table" ? null : picture}
      {layout === "picture" ? null : <div className={styles.table}>{table}</div>}
    </div>
  );
}
