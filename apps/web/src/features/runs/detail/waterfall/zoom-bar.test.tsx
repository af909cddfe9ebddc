// @vitest-environment happy-dom
import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderPage } from "../../../../testing/render-page.tsx";
import { runDetail, runEnd, runRow, runStep } from "../../../../testing/run-detail.ts";
import { RunPage } from "../run-page.tsx";

const ROW = runRow({ durationMs: 1_000 });
const STEPS = [
  runStep({ operation: "GET /v1/instances", offsetMs: 0, durationMs: 300 }),
  runStep({ operation: "PATCH nodes/status", offsetMs: 350, durationMs: 300, phase: "apply" }),
  runStep({ operation: "PATCH nodes", offsetMs: 700, durationMs: 280, phase: "apply" }),
];

async function show(query = "") {
  const end = runEnd(ROW, [], { steps: STEPS, durationMs: 1_000 });
  const page = renderPage(<RunPage id={ROW.id} />, {
    address: `/c/c-1/runs/${ROW.id}${query}`,
    answers: { "runs.byId": () => runDetail({ row: ROW, end, changes: [] }) },
  });
  await screen.findByRole("button", { name: "Zoom in" });
  return page;
}

const zoom = () => new URLSearchParams(window.location.search).get("zoom") ?? undefined;
const press = async (page: Awaited<ReturnType<typeof show>>, name: string) =>
  page.user.click(screen.getByRole("button", { name }));
const said = () => screen.getByText(/^The whole run is shown|ms to \+/).textContent;
const lengthOf = (part = "") => {
  const [from = 0, to = 0] = part.split("..").map(Number);
  return to - from;
};

describe("zooming into a run", () => {
  it("starts with all of it, says so, and explains why zooming out is disabled", async () => {
    const page = await show();
    expect(said()).toBe("The whole run is shown.");
    for (const name of ["Zoom out", "Earlier", "Later", "Whole run"]) {
      const button = screen.getByRole("button", { name });
      expect(button.getAttribute("aria-disabled"), name).toBe("true");
      expect(button.getAttribute("title"), name).toBe("The whole run is shown.");
      await page.user.click(button);
    }
    expect(zoom()).toBeUndefined();
  });

  it("halves the part with each press, says so, and keeps it in the address", async () => {
    const page = await show();
    await press(page, "Zoom in");
    const half = lengthOf(zoom());
    expect(said()).toMatch(/^\+.* to \+/);
    await press(page, "Zoom in");
    expect(Math.abs(lengthOf(zoom()) - half / 2)).toBeLessThanOrEqual(1);
  });

  it("shows the calls that reach into the part, and no others", async () => {
    await show("?zoom=0..200");
    const chart = screen.getByRole("tabpanel").textContent;
    expect(chart).toContain("GET /v1/instances");
    expect(chart).not.toContain("PATCH nodes/status");
  });

  it("moves by half of the part's length, and no further than the run", async () => {
    const page = await show("?zoom=400..600");
    await press(page, "Later");
    expect(zoom()).toBe("500..700");
    await press(page, "Earlier");
    await press(page, "Earlier");
    expect(zoom()).toBe("300..500");
    for (let pressed = 0; pressed < 8; pressed += 1) await press(page, "Earlier");
    expect(lengthOf(zoom())).toBe(200);
  });

  it("returns to the whole run by one press, or by zooming out", async () => {
    const page = await show("?zoom=400..600");
    await press(page, "Whole run");
    expect(zoom()).toBeUndefined();
    await press(page, "Zoom in");
    await press(page, "Zoom out");
    expect(zoom()).toBeUndefined();
  });

  it("keeps the focus on a button that becomes disabled", async () => {
    const page = await show("?zoom=400..600");
    await press(page, "Whole run");
    expect(document.activeElement?.textContent).toBe("Whole run");
  });

  it("stops at the shortest visible part, and says so", async () => {
    const page = await show("?zoom=400..404");
    const zoomIn = screen.getByRole("button", { name: "Zoom in" });
    expect(zoomIn.getAttribute("aria-disabled")).toBe("true");
    expect(zoomIn.getAttribute("title")).toBe("A shorter part shows no more detail.");
    await page.user.click(zoomIn);
    expect(zoom()).toBe("400..404");
  });

  it("cannot move past the ends of the run, and its buttons say so", async () => {
    const page = await show("?zoom=400..600");
    for (let pressed = 0; pressed < 8; pressed += 1) await press(page, "Later");
    expect(screen.getByRole("button", { name: "Later" }).getAttribute("aria-disabled")).toBe(
      "true",
    );
    expect(screen.getByRole("button", { name: "Earlier" }).getAttribute("aria-disabled")).not.toBe(
      "true",
    );
  });

  it("ignores a meaningless part in the address, and says so", async () => {
    await show("?zoom=600..400");
    expect(said()).toBe("The whole run is shown.");
    expect(screen.getByText(/ignored: 600\.\.400\.$/)).toBeDefined();
  });
});

describe("brushing over the overview", () => {
  const strip = () => {
    const found = screen.getByTitle("Drag over a part to zoom in on it");
    found.getBoundingClientRect = () => ({ left: 0, width: 1_000 }) as DOMRect;
    found.setPointerCapture = () => undefined;
    return found;
  };
  const drag = (from: number, to: number, last = "pointerUp" as "pointerUp" | "pointerCancel") => {
    const on = strip();
    fireEvent.pointerDown(on, { clientX: from, pointerId: 1 });
    fireEvent.pointerMove(on, { clientX: to, pointerId: 1 });
    fireEvent[last](on, { pointerId: 1 });
  };

  it("shows only that part, in whichever direction it is drawn", async () => {
    await show();
    drag(700, 200);
    const part = zoom();
    expect(lengthOf(part)).toBeGreaterThan(300);
    expect(lengthOf(part)).toBeLessThan(700);
  });

  it("does nothing if it was only a press, or was cancelled by the system", async () => {
    await show();
    drag(500, 503);
    drag(200, 700, "pointerCancel");
    expect(zoom()).toBeUndefined();
  });
});
