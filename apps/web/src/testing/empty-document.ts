import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// A condition that a busy machine reaches late is no failure.
configure({ asyncUtilTimeout: 15_000 });

// Nothing is laid out here: a table that draws the rows in sight has room for all of them.
for (const [name, size] of [
  ["clientWidth", 1_200],
  ["clientHeight", 2_000],
] as const) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size });
}

/** What a test leaves of its page is not there for the next one, of its own file or of another. */
afterEach(() => {
  cleanup();
  window.localStorage.clear();
  window.sessionStorage.clear();
  window.history.replaceState(null, "", "/");
  document.documentElement.removeAttribute("lang");
});
