// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { Tabs } from "./tabs.tsx";

const TABS = [
  { id: "facts", label: "Facts", note: "3" },
  { id: "runs", label: "Runs" },
  { id: "events", label: "Events" },
] as const;
type Id = (typeof TABS)[number]["id"];

function Page() {
  const [current, setCurrent] = useState<Id>("facts");
  return (
    <Tabs label="Lists" tabs={TABS} current={current} onChange={setCurrent}>
      <p>What there is of {current}</p>
    </Tabs>
  );
}

const selected = () => screen.getByRole("tab", { selected: true }).textContent;

describe("tabs", () => {
  it("show one panel at a time, which is named by its tab", async () => {
    const page = renderPage(<Page />);
    expect(screen.getByRole("tabpanel", { name: /^Facts/ }).textContent).toContain("facts");
    await page.user.click(screen.getByRole("tab", { name: "Runs" }));
    expect(screen.getByRole("tabpanel", { name: "Runs" }).textContent).toContain("runs");
    expect(screen.queryByText(/of facts/)).toBeNull();
  });

  it("are navigated with the arrow keys, wrapping around, and the focus follows", async () => {
    const page = renderPage(<Page />);
    await page.user.tab();
    await page.user.keyboard("{ArrowLeft}");
    expect(selected()).toBe("Events");
    expect(document.activeElement?.textContent).toBe("Events");
    await page.user.keyboard("{ArrowRight}{ArrowRight}");
    expect(selected()).toBe("Runs");
    expect(document.activeElement?.textContent).toBe("Runs");
  });

  it("are a single Tab stop: the selected one", async () => {
    const page = renderPage(
      <>
        <Page />
        <button type="button">After</button>
      </>,
    );
    await page.user.tab();
    expect(document.activeElement?.textContent).toMatch(/^Facts/);
    await page.user.tab();
    expect(document.activeElement?.textContent).toBe("After");
  });

  it("ignore every other key", async () => {
    const page = renderPage(<Page />);
    await page.user.tab();
    await page.user.keyboard("x{ArrowDown}");
    expect(selected()).toMatch(/^Facts/);
  });
});
