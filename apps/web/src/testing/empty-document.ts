import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// A busy machine may reach a condition late; that is no failure.
configure({ asyncUtilTimeout: 15_000 });

// Nothing is laid out here, so a table that draws only visible rows gets a size with room for all.
for (const [name, size] of [
  ["clientWidth", 1_200],
  ["clientHeight", 2_000],
] as const) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size });
}

/** Removes what a test leaves of its page, so that the next test, in its own file or another, does not see it. */
afterEach(() => {
  cleanup();
  window.localStorage.clear();
  window.sessionStorage.clear();
  window.history.replaceState(null, "", "/");
  document.documentElement.removeAttribute("lang");
});
