// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { type ChangeView, useUrlState } from "./use-url-state.ts";

interface View {
  readonly tab: string;
  readonly text: string;
}

const url = {
  parse: (params: URLSearchParams) => ({
    view: { tab: params.get("tab") ?? "nodes", text: params.get("q") ?? "" },
    dropped: [],
  }),
  format: ({ tab, text }: View) => `?${new URLSearchParams({ tab, q: text })}`,
};

function Page({ onPush }: { readonly onPush: (push: ChangeView<View>) => void }) {
  const { view, push } = useUrlState(url);
  onPush(push);
  return <p>{`${view.tab} ${view.text}`}</p>;
}

it("waits with what is chosen until Next follows the history, and then loses none of it", async () => {
  const followed = window.history.pushState;
  let push: ChangeView<View> = () => undefined;
  renderPage(
    <Page
      onPush={(given) => {
        push = given;
      }}
    />,
    { address: "/c/c-1/routes" },
  );
  // As before the effect of Next's router: the browser's own function.
  Reflect.deleteProperty(window.history, "pushState");
  push((now) => ({ ...now, tab: "map" }));
  push((now) => ({ ...now, text: "w-1" }));
  expect(window.location.search).toBe("");
  act(() => {
    window.history.pushState = followed;
  });
  expect(await screen.findByText("map w-1")).toBeDefined();
  expect(window.location.search).toBe("?tab=map&q=w-1");
});
