// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const COOKIE = "cloudwright.language";
const reload = vi.fn();

beforeEach(() => {
  vi.resetModules();
  vi.spyOn(window.location, "reload").mockImplementation(reload);
});
afterEach(() => {
  cleanup();
  reload.mockClear();
  localStorage.clear();
  setCookie("", new Date(0));
});

function setCookie(value: string, ends = new Date(Date.now() + 60_000)): void {
  // biome-ignore lint/suspicious/noDocumentCookie: it is what the page itself writes
  document.cookie = `${COOKIE}=${value}; Path=/; Expires=${ends.toUTCString()}`;
}

async function load() {
  const [{ useChosenLanguage }, { changePreferences }] = await Promise.all([
    import("./chosen-language.ts"),
    import("../preferences.ts"),
  ]);
  function Page() {
    useChosenLanguage();
    return null;
  }
  render(<Page />);
  return { choose: (language: "browser" | "fr") => changePreferences(() => ({ language })) };
}

it("a chosen language is kept for the server, and the page is reloaded in it", async () => {
  const { choose } = await load();
  expect(reload).not.toHaveBeenCalled();
  choose("fr");
  expect(document.cookie).toContain(`${COOKIE}=fr`);
  expect(reload).toHaveBeenCalledOnce();
});

it("a page already in that language is not reloaded, whatever else changes", async () => {
  setCookie("fr");
  localStorage.setItem("cloudwright.preferences", JSON.stringify({ language: "fr" }));
  const { choose } = await load();
  choose("fr");
  expect(reload).not.toHaveBeenCalled();
});

it("a language chosen in another browser is adopted", async () => {
  localStorage.setItem("cloudwright.preferences", JSON.stringify({ language: "ja" }));
  await load();
  expect(document.cookie).toContain(`${COOKIE}=ja`);
  expect(reload).toHaveBeenCalledOnce();
});

it("the browser's own language applies once no language is chosen", async () => {
  setCookie("fr");
  localStorage.setItem("cloudwright.preferences", JSON.stringify({ language: "fr" }));
  const { choose } = await load();
  choose("browser");
  expect(document.cookie).not.toContain(COOKIE);
  expect(reload).toHaveBeenCalledOnce();
});

it("the page does not reload in a loop where cookies are forbidden", async () => {
  vi.spyOn(document, "cookie", "set").mockImplementation(() => undefined);
  const { choose } = await load();
  choose("fr");
  expect(reload).not.toHaveBeenCalled();
});
