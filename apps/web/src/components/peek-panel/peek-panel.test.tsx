// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { optionalTextParam, urlCodec } from "../url/url-codec.ts";
import { useUrlState } from "../url/use-url-state.ts";
import { PeekLayout, PeekPanel } from "./peek-panel.tsx";
import { usePeek } from "./use-peek.ts";

const codec = urlCodec<{ readonly peek: string | undefined }>({ peek: optionalTextParam("peek") });

function List() {
  const { view, push, replace } = useUrlState(codec);
  const peek = usePeek({ view, push, replace });
  const { current } = peek;
  return (
    <PeekLayout
      peek={
        current === undefined ? null : (
          <PeekPanel
            title={current}
            href={`/nodes/${current}`}
            onClose={() => peek.onPeek(undefined)}
          >
            Of {current}
          </PeekPanel>
        )
      }
    >
      {["w-1", "w-2"].map((name) => (
        <div key={name}>
          <button type="button" onClick={() => peek.onToggle(name)}>
            Toggle {name}
          </button>
          <button type="button" onClick={() => peek.onMove(name)}>
            Move to {name}
          </button>
        </div>
      ))}
    </PeekLayout>
  );
}

let steps = 0;
beforeEach(() => {
  steps = 0;
});

function show(query = "") {
  const page = renderPage(<List />, { address: `/c/c-1/nodes${query}` });
  steps = window.history.length;
  return page;
}
const press = async (page: ReturnType<typeof show>, name: string) =>
  page.user.click(screen.getByRole("button", { name }));
const panel = () => screen.queryByRole("complementary")?.getAttribute("aria-label");

describe("the panel beside a list", () => {
  it("is announced, and links to its full page", async () => {
    show("?peek=w-1");
    const aside = within(screen.getByRole("complementary", { name: "Beside the list: w-1" }));
    expect(aside.getByRole("status").textContent).toBe("Beside the list: w-1");
    expect(aside.getByRole("link", { name: "Open page" }).getAttribute("href")).toBe("/nodes/w-1");
  });

  it("is opened and closed by the same press, each a history step that Back undoes", async () => {
    const page = show();
    await press(page, "Toggle w-1");
    expect(panel()).toBe("Beside the list: w-1");
    expect(window.location.search).toBe("?peek=w-1");
    await press(page, "Toggle w-1");
    expect(panel()).toBeUndefined();
    expect(window.history.length).toBe(steps + 2);
  });

  it("moves from row to row without adding history steps", async () => {
    const page = show("?peek=w-1");
    await press(page, "Toggle w-2");
    await press(page, "Move to w-1");
    await press(page, "Move to w-2");
    expect(panel()).toBe("Beside the list: w-2");
    expect(window.history.length).toBe(steps);
  });

  it("is not opened by moving through the rows", async () => {
    const page = show();
    await press(page, "Move to w-2");
    expect(panel()).toBeUndefined();
    expect(window.location.search).toBe("");
  });

  it.each(["its button", "Escape"])("is put away by %s", async (way) => {
    const page = show("?peek=w-1");
    if (way === "Escape") await page.user.keyboard("{Escape}");
    else await press(page, "Close w-1");
    expect(panel()).toBeUndefined();
  });
});
