"use client";
import { Button } from "../../components/button.tsx";
import { usePreferences } from "../../components/preferences.ts";
import { formatClock, formatInstant } from "../../components/time/format-time.ts";
import { useNow } from "../../components/time/ticker.ts";
import type { ChangeView } from "../../components/url/use-url-state.ts";
import type { RunsView } from "./runs-url.ts";

/** The stretch of time that the address names; pressing it goes back to a range that ends now. */
export function StretchButton({
  view,
  push,
}: {
  readonly view: RunsView;
  readonly push: ChangeView<RunsView>;
}) {
  const { zone } = usePreferences();
  const now = useNow();
  if (view.between === undefined) return null;
  const { from, to } = view.between;
  return (
    <Button
      active
      title={`From ${formatInstant(from, zone)} to ${formatInstant(to, zone)}. Press to leave it.`}
      aria-pressed="true"
      onClick={() => push((now) => ({ ...now, between: undefined }))}
    >
      {formatClock(from, zone, now)} – {formatClock(to, zone, now)}
      <span className="visually-hidden">, leave this stretch of time</span>
      <svg width="9" height="9" viewBox="0 0 12 12" aria-hidden="true">
        <path d="m2 2 8 8m0-8-8 8" fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
    </Button>
  );
}
