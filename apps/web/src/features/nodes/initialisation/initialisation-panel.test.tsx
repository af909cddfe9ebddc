// @vitest-environment happy-dom
import type {
  InitialisationPart,
  InitialisationView,
} from "@cloudwright/store/views/initialisation";
import { fireEvent, screen, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changePreferences } from "../../../components/preferences.ts";
import type { TimeRange } from "../../../components/url/time-range.ts";
import { refusal, renderPage } from "../../../testing/render-page.tsx";
import { InitialisationPanel } from "./initialisation-panel.tsx";

const HOUR = 3_600_000;
const FROM = Date.UTC(2020, 0, 2, 10);

beforeEach(() => changePreferences(() => ({ zone: "UTC" })));
afterEach(() => changePreferences(() => ({ zone: "local" })));

const part = (name: string, p50Ms: number, p95Ms: number): InitialisationPart => ({
  ...{ nodes: 3, p50Ms, p95Ms },
  slowestStep: { step: "found", p50Ms: p50Ms / 2 },
  slowest: { name, ms: p95Ms + 500 },
});
const VIEW: InitialisationView = {
  ...{ from: FROM, to: FROM + 4 * HOUR },
  parts: [part("w-1", 1_000, 4_000), undefined, part("w-2", 2_000, 9_000), undefined],
};
const EMPTY = { ...VIEW, parts: VIEW.parts.map(() => undefined) };

function Panel({ initial }: { readonly initial: TimeRange }) {
  const [time, setTime] = useState(initial);
  return <InitialisationPanel time={time} onTime={setTime} />;
}

const show = (
  answer: (input: unknown) => unknown = () => VIEW,
  time: TimeRange = { from: "-24h", between: undefined },
) => renderPage(<Panel initial={time} />, { answers: { "nodes.initialisation": answer } });

const bars = async () =>
  within(
    await screen.findByRole("list", { name: "Initialisation of nodes over time" }),
  ).getAllByRole("link");

describe("how long nodes took to initialise", () => {
  it("is summarised in a sentence, which links to the slowest node", async () => {
    show();
    const link = await screen.findByRole("link", { name: "w-2" });
    expect(link.getAttribute("href")).toBe("/c/c-1/nodes/w-2");
    expect(link.parentElement?.textContent).toMatch(/^6 nodes were initialised\. .*took 9.5 s\.$/);
  });

  it("is on the label of each bar, which links to the runs of its time", async () => {
    show();
    const shown = await bars();
    expect(shown.map((bar) => bar.getAttribute("aria-label")?.replaceAll("\u00a0", " "))).toEqual([
      "2 Jan 2020 10:00:00 to 2 Jan 2020 11:00:00: 3 nodes, half within 1 s, 95 % within 4 s, slowest step Found in cloud with 500 ms",
      "2 Jan 2020 12:00:00 to 2 Jan 2020 13:00:00: 3 nodes, half within 2 s, 95 % within 9 s, slowest step Found in cloud with 1 s",
    ]);
    expect(shown[0]?.getAttribute("href")).toBe(
      "/c/c-1/runs?q=reason%3AInitialised&from=2020-01-02T10:00:00.000Z&to=2020-01-02T11:00:00.000Z",
    );
  });

  it("is one Tab stop, navigated with the arrow keys", async () => {
    const page = show();
    const [first, second] = await bars();
    expect([first?.tabIndex, second?.tabIndex]).toEqual([-1, 0]);
    second?.focus();
    await page.user.keyboard("{ArrowLeft}");
    expect(document.activeElement).toBe(first);
  });

  it("is zoomed by a drag over bars", async () => {
    const page = show();
    await bars();
    const list = screen.getByRole("list", { name: /over time/ });
    list.setPointerCapture = () => undefined;
    list.getBoundingClientRect = () => new DOMRect(0, 0, 400, 100);
    fireEvent.pointerDown(list, { button: 0, clientX: 110, pointerId: 1 });
    fireEvent.pointerMove(list, { clientX: 290, pointerId: 1 });
    fireEvent.pointerUp(list, { clientX: 290, pointerId: 1 });
    await expect
      .poll(() => page.sent("nodes.initialisation").at(-1))
      .toEqual({ cluster: "c-1", from: FROM + HOUR, to: FROM + 3 * HOUR });
  });

  it("is a table as well, newest first", async () => {
    const page = show();
    await page.user.click(await screen.findByRole("button", { name: "Show as table" }));
    const rows = within(screen.getByRole("table")).getAllByRole("row").slice(1);
    expect(rows.map(({ textContent }) => textContent?.replaceAll("\u00a0", " "))).toEqual([
      "2 Jan 2020 12:00:0032 s9 sFound in cloud, 1 sw-2, 9.5 s",
      "2 Jan 2020 10:00:0031 s4 sFound in cloud, 500 msw-1, 4.5 s",
    ]);
  });

  it("says that there were none in this time, and links to everything kept", async () => {
    const page = show(() => EMPTY);
    expect(await screen.findByText("No node was initialised in the last 24 h")).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Show everything that is kept" }));
    await expect.poll(() => page.sent("nodes.initialisation").at(-1)).toEqual({ cluster: "c-1" });
    expect(
      await screen.findByText("The ledger has no record of an initialised node"),
    ).toBeDefined();
  });

  it("says why it could not be read", async () => {
    show(refusal("Unavailable", "The database does not answer."));
    expect(await screen.findByText("The database does not answer.")).toBeDefined();
  });
});
