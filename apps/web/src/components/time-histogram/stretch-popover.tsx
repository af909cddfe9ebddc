"use client";
import { Button, Caret } from "../button/button.tsx";
import { LazyMenu } from "../menu/lazy-menu.tsx";
import type { Stretch, TimeRange } from "../url/time-range.ts";

const load = () => import("./stretch-form.tsx").then(({ StretchPanel }) => StretchPanel);

/** Any stretch of time, by its two moments in the zone that the page shows. */
export function StretchPopover(chosen: {
  readonly time: TimeRange;
  readonly onChoose: (stretch: Stretch) => void;
}) {
  const button = (
    <Button appearance="quiet">
      From – to
      <Caret />
    </Button>
  );
  return <LazyMenu button={button} popup="dialog" load={load} menu={chosen} />;
}
