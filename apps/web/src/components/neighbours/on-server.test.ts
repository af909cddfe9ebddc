import {
  PathnameContext,
  SearchParamsContext,
} from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { TrailLinks } from "./neighbours.tsx";

it("the server renders a page without knowing which list led to it", () => {
  expect(typeof window).toBe("undefined");
  const read = vi.fn(() => JSON.stringify({ owner: "", pages: ["/c/c-1/nodes/w-1"] }));
  vi.stubGlobal("sessionStorage", { getItem: read });
  const address = { value: "/c/c-1/nodes/w-1", children: createElement(TrailLinks) };
  const page = createElement(
    SearchParamsContext,
    { value: new URLSearchParams() },
    createElement(PathnameContext, address),
  );
  expect(renderToString(page)).toBe("");
  expect(read).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});
