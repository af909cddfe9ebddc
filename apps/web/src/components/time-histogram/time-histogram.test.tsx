// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { changePreferences } from "../preferences.ts";
import { TimeRangeButtons } from "../time/time-range-buttons.tsx";
import type { TimeRange } from "../url/time-range.ts";
import { TimeHistogram } from "./time-histogram.tsx";

const HOUR = 3_600_000;
const FROM = Date.UTC(2020, 0, 2, 10);
const HISTOGRAM = { from: FROM, to: FROM + 4 * HOUR, counts: [1, 0, 1_250, 3] };

beforeEach(() => changePreferences(() => ({ zone: "UTC" })));
afterEach(() => changePreferences(() => ({ zone: "local" })));

function show(
  { data, isError }: { readonly data: typeof HISTOGRAM | undefined; readonly isError: boolean } = {
    data: HISTOGRAM,
    isError: false,
  },
) {
  const onChoose = vi.fn();
  const refetch = vi.fn();
  const page = renderPage(
    <TimeHistogram
      label="Runs over time"
      thing={{ one: "run", many: "runs" }}
      query={{
        ...{ data, isPending: data === undefined && !isError, isError, error: null },
        ...{ errorUpdatedAt: isError ? 7 : 0, refetch },
      }}
      onChoose={onChoose}
    />,
  );
  return { page, onChoose, refetch };
}

const bars = () =>
  within(screen.getByRole("region", { name: "Runs over time" })).getAllByRole("button");
const bar = (index: number) => {
  const found = bars()[index];
  if (found === undefined) throw new Error(`There is no bar ${index}.`);
  return found;
};
const nth = (from: number, to: number) => ({ from: FROM + from * HOUR, to: FROM + to * HOUR });

describe("the histogram of a list", () => {
  it("labels each bar with its count and its time", () => {
    show();
    expect(bars().map((each) => each.getAttribute("aria-label"))).toEqual([
      "1 run, 2 Jan 2020 10:00:00 to 2 Jan 2020 11:00:00",
      "0 runs, 2 Jan 2020 11:00:00 to 2 Jan 2020 12:00:00",
      "1,250 runs, 2 Jan 2020 12:00:00 to 2 Jan 2020 13:00:00",
      "3 runs, 2 Jan 2020 13:00:00 to 2 Jan 2020 14:00:00",
    ]);
  });

  it("is left out when the list spans only this moment", () => {
    show({ data: { from: FROM, to: FROM + 60, counts: [0, 0] }, isError: false });
    expect(screen.queryByRole("region")).toBeNull();
  });

  it("narrows the list to the time of the pressed bar, also of an empty one", async () => {
    const { page, onChoose } = show();
    await page.user.click(bar(1));
    expect(onChoose.mock.calls).toEqual([[nth(1, 2)]]);
  });

  it.each([
    ["further on", 1, 3],
    ["further back", 3, 1],
  ])("with Shift selects all bars up to one %s", async (_, first, second) => {
    const { page, onChoose } = show();
    await page.user.click(bar(first));
    await page.user.keyboard("{Shift>}");
    await page.user.click(bar(second));
    await page.user.keyboard("{/Shift}");
    expect(onChoose.mock.lastCall).toEqual([nth(1, 4)]);
  });

  it("selects all bars between two with the keyboard as well", async () => {
    const { page, onChoose } = show();
    act(() => bar(1).focus());
    await page.user.keyboard("{Enter}{Shift>}{ArrowRight}{ArrowRight}{Enter}{/Shift}");
    expect(onChoose.mock.lastCall).toEqual([nth(1, 4)]);
  });

  it("is one Tab stop, navigated with arrows, Home and End", async () => {
    const { page } = show();
    await page.user.tab();
    expect(document.activeElement).toBe(bar(3));
    await page.user.keyboard("{ArrowRight}");
    expect(document.activeElement).toBe(bar(3));
    await page.user.keyboard("{ArrowLeft}{ArrowLeft}");
    expect(document.activeElement).toBe(bar(1));
    await page.user.keyboard("{Home}");
    expect(document.activeElement).toBe(bar(0));
    await page.user.keyboard("{End}");
    expect(document.activeElement).toBe(bar(3));
    expect(bars().filter(({ tabIndex }) => tabIndex === 0)).toEqual([bar(3)]);
  });

  /** Each bar is 100 pixels wide. */
  function drag(from: number, to: number) {
    const list = within(screen.getByRole("region", { name: "Runs over time" })).getByRole("list");
    list.setPointerCapture = () => undefined;
    list.getBoundingClientRect = () => new DOMRect(0, 0, 400, 44);
    fireEvent.pointerDown(list, { button: 0, clientX: from, pointerId: 1 });
    fireEvent.pointerMove(list, { clientX: to, pointerId: 1 });
    const marked = [...list.querySelectorAll("[data-brushed=true]")].length;
    fireEvent.pointerUp(list, { clientX: to, pointerId: 1 });
    return marked;
  }

  it.each([
    ["to the right", [110, 390], [1, 4]],
    ["to the left", [290, 10], [0, 3]],
    ["beyond the end", [350, 900], [3, 4]],
  ] as const)(
    "takes the time of all bars that a drag %s is over",
    (_, [from, to], [one, other]) => {
      const { onChoose } = show();
      expect(drag(from, to)).toBe(other - one);
      expect(onChoose.mock.calls).toEqual([[nth(one, other)]]);
    },
  );

  it("does not press the bar that a drag ends on, but presses the next one again", async () => {
    const { page, onChoose } = show();
    drag(110, 390);
    fireEvent.click(bar(3));
    expect(onChoose).toHaveBeenCalledTimes(1);
    await page.user.click(bar(0));
    expect(onChoose.mock.lastCall).toEqual([nth(0, 1)]);
  });

  it("treats a trembling press as a press, not as a drag", () => {
    const { onChoose } = show();
    drag(110, 113);
    expect(onChoose).not.toHaveBeenCalled();
  });

  it("has no bars while the counts are unknown", () => {
    show({ data: undefined, isError: false });
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.queryByText(/could not be read/)).toBeNull();
  });

  it("says that it could not be read, and retries on demand", async () => {
    const { page, refetch } = show({ data: undefined, isError: true });
    expect(screen.getByRole("alert").textContent).toMatch(/^The histogram could not be read\./);
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    expect(refetch).toHaveBeenCalledOnce();
  });

  it("keeps the previous counts when refetching fails", () => {
    show({ data: HISTOGRAM, isError: true });
    expect(bars()).toHaveLength(4);
    expect(screen.queryByText(/could not be read/)).toBeNull();
  });
});

function ranges(time: TimeRange) {
  const onChange = vi.fn();
  const page = renderPage(<TimeRangeButtons time={time} onChange={onChange} />);
  return { page, onChange };
}

const STRETCH = { from: FROM + 9_000, to: FROM + HOUR + 9_000 };
const CHOSEN = { from: "-24h", between: STRETCH } as const;
const LAST_DAY = { from: "-24h", between: undefined } as const;

describe("the time range of a list", () => {
  it("is marked, and another range is one press away", async () => {
    const { page, onChange } = ranges(LAST_DAY);
    const pressed = screen.getAllByRole("button", { pressed: true });
    expect(pressed.map(({ textContent }) => textContent)).toEqual(["Last 24 h"]);
    await page.user.click(screen.getByRole("button", { name: "Last hour" }));
    expect(onChange).toHaveBeenCalledWith({ from: "-1h", between: undefined });
  });

  it("marks no range for a custom stretch, and returns to the previous range", async () => {
    const { page, onChange } = ranges(CHOSEN);
    const [stretch, ...others] = screen.getAllByRole("button", { pressed: true });
    expect(others).toEqual([]);
    expect(stretch?.textContent).toMatch(/^2 Jan 2020 10:00:09 – 2 Jan 2020 11:00:09/);
    if (stretch !== undefined) await page.user.click(stretch);
    expect(onChange).toHaveBeenCalledWith(LAST_DAY);
  });

  it.each([
    ["Earlier time range", { from: STRETCH.from - HOUR / 2, to: STRETCH.to - HOUR / 2 }],
    ["Later time range", { from: STRETCH.from + HOUR / 2, to: STRETCH.to + HOUR / 2 }],
    ["Wider time range", { from: STRETCH.from - HOUR / 2, to: STRETCH.to + HOUR / 2 }],
    ["Narrower time range", { from: STRETCH.from + HOUR / 4, to: STRETCH.to - HOUR / 4 }],
  ])("is moved by the button %s, for users who cannot drag", async (name, between) => {
    const { page, onChange } = ranges(CHOSEN);
    await page.user.click(screen.getByRole("button", { name }));
    expect(onChange).toHaveBeenCalledWith({ from: "-24h", between });
  });

  it("can be moved only if it is a custom stretch", () => {
    ranges(LAST_DAY);
    expect(screen.queryByRole("button", { name: "Wider time range" })).toBeNull();
  });

  async function openForm(time: TimeRange) {
    const shown = ranges(time);
    await shown.page.user.click(screen.getByRole("button", { name: "From – to" }));
    const form = within(await screen.findByRole("form", { name: /time/i }));
    return { ...shown, form };
  }

  it("can be any stretch between two moments, in the page's zone", async () => {
    const { page, onChange, form } = await openForm(CHOSEN);
    const from = form.getByLabelText("From (UTC)");
    expect(from).toHaveProperty("value", "2020-01-02T10:00:09");
    await page.user.clear(from);
    await page.user.type(from, "2020-01-02T09:30:09");
    await page.user.click(form.getByRole("button", { name: "Show this time" }));
    const between = { ...STRETCH, from: STRETCH.from - HOUR / 2 };
    expect(onChange).toHaveBeenCalledWith({ from: "-24h", between });
    await expect.poll(() => screen.queryByRole("form")).toBeNull();
  });

  it("is refused with the reason if it ends before it begins, and the form stays open", async () => {
    const { page, onChange, form } = await openForm(CHOSEN);
    const to = form.getByLabelText("To (UTC)");
    await page.user.clear(to);
    await page.user.type(to, "2020-01-02T09:00:00");
    await page.user.click(form.getByRole("button", { name: "Show this time" }));
    expect(form.getByRole("alert").textContent).toMatch(/before/);
    expect(to.getAttribute("aria-invalid")).toBe("true");
    expect(onChange).not.toHaveBeenCalled();
  });

  it("is refused if a moment is missing", async () => {
    const { page, onChange, form } = await openForm(LAST_DAY);
    await page.user.clear(form.getByLabelText("From (UTC)"));
    await page.user.click(form.getByRole("button", { name: "Show this time" }));
    expect(form.getByRole("alert").textContent).toMatch(/both times/);
    expect(onChange).not.toHaveBeenCalled();
  });
});
