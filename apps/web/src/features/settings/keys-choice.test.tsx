// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { changePreferences, currentPreferences } from "../../components/preferences.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { KeysChoice } from "./keys-choice.tsx";

afterEach(() => changePreferences(() => ({ keys: {}, shortcuts: true })));

function show() {
  const next = vi.fn();
  const density = vi.fn();
  const nodes = vi.fn();
  function Page() {
    useShortcuts({ j: next, d: density, "g n": nodes });
    return <KeysChoice />;
  }
  return { ...renderPage(<Page />), next, density, nodes };
}

const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });

describe("custom keys", () => {
  it("do what the default ones did, which then do nothing", async () => {
    const { user, next } = show();
    await user.click(field("Next row"));
    await user.keyboard("n");
    expect(field("Next row").value).toBe("n");
    expect(currentPreferences().keys).toEqual({ j: "n" });
    expect(next, "while a field has the focus").not.toHaveBeenCalled();
    await user.click(document.body);
    await user.keyboard("j");
    expect(next).not.toHaveBeenCalled();
    await user.keyboard("n");
    expect(next).toHaveBeenCalledOnce();
  });

  it("do not affect the pages' letters, whichever key starts the sequence", async () => {
    changePreferences(() => ({ keys: { j: "n", g: "h" } }));
    const { user, nodes, next } = show();
    await user.keyboard("hn");
    expect(nodes).toHaveBeenCalledOnce();
    expect(next).not.toHaveBeenCalled();
    await user.keyboard("gn");
    expect(nodes).toHaveBeenCalledOnce();
    expect(next).toHaveBeenCalledOnce();
  });

  it("cannot be one that is in use, which is named and stays", async () => {
    const { user, density } = show();
    await user.click(field("Next row"));
    await user.keyboard("d");
    const { parentElement: row } = field("Next row");
    expect(row && within(row).getByRole("status").textContent).toBe(
      "d is the key for: Density of rows",
    );
    expect(field("Next row").getAttribute("aria-invalid")).toBe("true");
    expect(field("Next row").value).toBe("j");
    await user.click(document.body);
    await user.keyboard("d");
    expect(density).toHaveBeenCalledOnce();
  });

  it("are reset to the defaults by one button", async () => {
    changePreferences(() => ({ keys: { j: "n" } }));
    const { user } = show();
    await user.click(screen.getByRole("button", { name: "Reset keys" }));
    expect(field("Next row").value).toBe("j");
    expect(currentPreferences().keys).toEqual({});
  });
});
