// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { renderPage } from "../testing/render-page.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { changePreferences } from "./preferences.ts";
import { SearchBox } from "./search-box.tsx";
import { type Shortcuts, useShortcuts } from "./shortcuts.ts";

const sent = vi.fn();
let setFromOutside: (text: string) => void = () => undefined;

function Filter() {
  const [value, setValue] = useState("");
  setFromOutside = setValue;
  const onChange = (text: string) => {
    sent(text);
    setValue(text);
  };
  return <SearchBox label="Filter nodes" placeholder="Name" value={value} onChange={onChange} />;
}

function show() {
  sent.mockClear();
  return renderPage(<Filter />);
}
const box = () => screen.getByRole<HTMLInputElement>("searchbox", { name: "Filter nodes" });

describe("a typed filter", () => {
  it("is applied once, after the last key", async () => {
    const page = show();
    await page.user.type(box(), "w-9");
    await expect.poll(() => sent.mock.calls).toEqual([["w-9"]]);
    expect(box().value).toBe("w-9");
  });

  it("is focused by /, which is not entered into it", async () => {
    const page = show();
    await page.user.keyboard("/");
    expect(document.activeElement).toBe(box());
    expect(box().value).toBe("");
  });

  it("is cleared by Escape, and left by a second Escape", async () => {
    const page = show();
    await page.user.type(box(), "w");
    await page.user.keyboard("{Escape}");
    expect(box().value).toBe("");
    expect(document.activeElement).toBe(box());
    await page.user.keyboard("{Escape}");
    expect(document.activeElement).not.toBe(box());
  });

  it("follows the address when it changes by other means, such as Back", async () => {
    show();
    act(() => setFromOutside("from the address"));
    expect(box().value).toBe("from the address");
  });

  it("keeps the newer text when an earlier one comes back from the address", async () => {
    const page = show();
    await page.user.type(box(), "w");
    await expect.poll(() => sent.mock.calls.length).toBe(1);
    await page.user.type(box(), "-10");
    act(() => setFromOutside("w"));
    expect(box().value).toBe("w-10");
    await expect.poll(() => sent.mock.lastCall).toEqual(["w-10"]);
  });
});

describe("the terms of a filter", () => {
  it("can be removed one by one", async () => {
    const onRemove = vi.fn();
    const terms = [
      { text: "controller:node", problem: undefined },
      { text: "w-9", problem: undefined },
    ];
    const page = renderPage(<FilterChips terms={terms} onRemove={onRemove} />);
    await page.user.click(screen.getByRole("button", { name: "Remove controller:node" }));
    expect(onRemove.mock.calls).toEqual([["controller:node"]]);
  });

  it("say which of them has no effect, and why", () => {
    const terms = [
      { text: "kind:Nod", problem: "there is no kind Nod" },
      { text: "w-9", problem: undefined },
    ];
    renderPage(<FilterChips terms={terms} onRemove={() => undefined} />);
    const said = screen.getAllByRole("status").map(({ textContent }) => textContent);
    expect(said).toEqual(["kind:Nod is ignored: there is no kind Nod."]);
  });

  it("are absent without a filter", () => {
    renderPage(<FilterChips terms={[]} onRemove={() => undefined} />);
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.queryByRole("status")).toBeNull();
  });
});

function Keys({ keys }: { readonly keys: Shortcuts }) {
  useShortcuts(keys);
  return (
    <>
      <input aria-label="A field" />
      <button type="button">A button</button>
      <div role="dialog" aria-label="A dialog">
        <button type="button">In a dialog</button>
      </div>
    </>
  );
}

describe("single-key shortcuts", () => {
  const showKeys = () => {
    const keys = { j: vi.fn(), n: vi.fn(), "g n": vi.fn(), Enter: vi.fn(), "?": vi.fn() };
    return { keys, page: renderPage(<Keys keys={keys} />) };
  };

  it("work on the page, alone and as a sequence of two", async () => {
    const { keys, page } = showKeys();
    await page.user.keyboard("j");
    expect(keys.j).toHaveBeenCalledOnce();
    await page.user.keyboard("gn");
    expect(keys["g n"]).toHaveBeenCalledOnce();
    expect(keys.n).not.toHaveBeenCalled();
    await page.user.keyboard("{Shift>}?{/Shift}");
    expect(keys["?"]).toHaveBeenCalledOnce();
  });

  it.each(["Control", "Meta", "Alt"])("are the browser's while %s is held", async (modifier) => {
    const { keys, page } = showKeys();
    await page.user.keyboard(`{${modifier}>}j{/${modifier}}`);
    expect(keys.j).not.toHaveBeenCalled();
  });

  it("are left to a focused field or dialog", async () => {
    const { keys, page } = showKeys();
    await page.user.type(screen.getByLabelText("A field"), "j");
    screen.getByRole("button", { name: "In a dialog" }).focus();
    await page.user.keyboard("j");
    expect(keys.j).not.toHaveBeenCalled();
  });

  it("leave Enter to the focused button", async () => {
    const { keys, page } = showKeys();
    screen.getByRole("button", { name: "A button" }).focus();
    await page.user.keyboard("{Enter}");
    expect(keys.Enter).not.toHaveBeenCalled();
  });

  it("do nothing while they are turned off, and work again when turned on", async () => {
    const { keys, page } = showKeys();
    act(() => changePreferences(() => ({ shortcuts: false })));
    await page.user.keyboard("j");
    expect(keys.j).not.toHaveBeenCalled();
    act(() => changePreferences(() => ({ shortcuts: true })));
    await page.user.keyboard("j");
    expect(keys.j).toHaveBeenCalledOnce();
  });
});
