// @vitest-environment happy-dom
import { render, screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { refusal, renderPage } from "../../testing/render-page.tsx";
import { problemOf } from "../problem.ts";
import { DroppedNote, PageHead } from "./page-head.tsx";
import { Panel } from "./panel.tsx";
import { EmptyState, ErrorState, Pending } from "./panel-states.tsx";
import { PendingPage } from "./pending-page.tsx";
import type { PendingQuery } from "./use-failure.ts";

const thrown = (code: string, sentence: string): unknown => {
  try {
    return refusal(code, sentence)();
  } catch (error) {
    return error;
  }
};
const failed = (code: string, sentence: string, refetch = vi.fn()) => ({
  ...{ isPending: false, isError: true, error: thrown(code, sentence), errorUpdatedAt: 7, refetch },
});
const waiting = {
  ...{ isPending: true, isError: false, error: null, errorUpdatedAt: 0, refetch: vi.fn() },
};
/** As a query is while it is asked again: it knows when it failed, and no longer why. */
const askedAgain = { ...waiting, errorUpdatedAt: 7 };

describe("an error", () => {
  it.each([
    ["NOT_FOUND", "Go back to the list and look for it there."],
    ["FORBIDDEN", "Ask an admin for the role that it needs."],
    ["BAD_REQUEST", "Go back to the list and clear the filter."],
    ["UNAUTHORIZED", "Sign in again: npx cloudwright sign-in-link prints a new link."],
    ["TOO_MANY_REQUESTS", "Wait a minute and try again."],
    ["INTERNAL_SERVER_ERROR", "The cluster is not affected by this. Try again in a moment."],
  ])("as %s is explained in a sentence, with its code and advice", (code, advice) => {
    renderPage(<ErrorState error={thrown(code, "It failed.")} />);
    const alert = within(screen.getByRole("alert"));
    for (const text of ["It failed.", code, advice]) expect(alert.getByText(text)).toBeDefined();
  });

  it("blames the server where there was no answer at all, and says that it retries by itself", () => {
    renderPage(<ErrorState error={new TypeError("fetch failed")} />);
    const alert = screen.getByRole("alert").textContent;
    expect(alert).toMatch(/The dashboard's server did not answer\./);
    expect(alert).not.toMatch(/fetch failed/);
  });

  it("names its request, by which it can be found in the log", () => {
    const error = {
      message: "It failed.",
      data: { code: "INTERNAL_SERVER_ERROR", requestId: "q-7" },
    };
    renderPage(<ErrorState error={error} />);
    expect(screen.getByText("request q-7")).toBeDefined();
  });

  it("offers to try again only where that is possible", async () => {
    const page = renderPage(<ErrorState error={thrown("FORBIDDEN", "No.")} />);
    expect(screen.queryByRole("button")).toBeNull();
    const retry = vi.fn();
    page.rerender(<ErrorState error={thrown("FORBIDDEN", "No.")} retry={retry} />);
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    expect(retry).toHaveBeenCalledOnce();
  });

  it.each([
    [{ message: "No.", data: { code: 5 } }],
    [{ message: 7, data: { code: "NOT_FOUND" } }],
    [undefined],
    ["NOT_FOUND"],
  ])("in an unknown shape (%j) counts as no answer", (error) => {
    expect(problemOf(error).code).toBe("NO_ANSWER");
  });
});

describe("a pending panel", () => {
  it("shows its outline until the answer arrives, and is announced as loading", () => {
    renderPage(<Pending query={waiting} lines={3} />);
    expect(screen.getByRole("status", { name: "Loading" }).children).toHaveLength(3);
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("shows why it failed, with a button to try again", async () => {
    const refetch = vi.fn();
    const page = renderPage(
      <Pending query={failed("SERVICE_UNAVAILABLE", "The ledger is down.", refetch)} />,
    );
    expect(screen.queryByRole("status", { name: "Loading" })).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    expect(refetch).toHaveBeenCalledOnce();
  });

  it("stays why it failed while it is asked again, which is said, until it is answered", () => {
    const shown = (query: PendingQuery) => <Pending query={query} lines={3} />;
    const page = render(shown(failed("SERVICE_UNAVAILABLE", "The ledger is down.")));
    expect(screen.queryByText("Loading…")).toBeNull();
    page.rerender(shown(askedAgain));
    const alert = within(screen.getByRole("alert"));
    expect(alert.getByText("The ledger is down.")).toBeDefined();
    expect(alert.getByRole("button", { name: "Try again" })).toBeDefined();
    expect(alert.getByText("Loading…")).toBeDefined();
    page.rerender(shown({ ...failed("FORBIDDEN", "No."), errorUpdatedAt: 8 }));
    expect(screen.getByRole("alert").textContent).toMatch(/^No\./);
    expect(screen.queryByText("Loading…")).toBeNull();
  });

  it("does not say of another query why this one failed", () => {
    const page = render(<Pending query={failed("NOT_FOUND", "No such action.")} lines={3} />);
    page.rerender(<Pending query={waiting} lines={3} />);
    expect(screen.getByRole("status", { name: "Loading" })).toBeDefined();
    expect(screen.queryByText("No such action.")).toBeNull();
  });

  it("shows a plain sentence when its object does not exist, without offering to try again", () => {
    renderPage(<Pending query={failed("NOT_FOUND", "No such action in this cluster.")} />);
    expect(screen.getByRole("status").textContent).toBe("No such action in this cluster.");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.queryByRole("button")).toBeNull();
  });
});

describe("a pending page", () => {
  const notFound = <p>No controller has reported on node w-1.</p>;

  it("shows its outline until the answer arrives", () => {
    renderPage(<PendingPage title="w-1" query={waiting} notFound={notFound} />);
    expect(screen.getByRole("status", { name: "Loading" })).toBeDefined();
    expect(screen.queryByText(/No controller has reported/)).toBeNull();
  });

  it("shows its own sentence when its object is unknown", () => {
    renderPage(
      <PendingPage title="w-1" query={failed("NOT_FOUND", "None.")} notFound={notFound} />,
    );
    expect(screen.getByText(/No controller has reported on node w-1/)).toBeDefined();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it.each(["FORBIDDEN", "SERVICE_UNAVAILABLE", "INTERNAL_SERVER_ERROR"])(
    "says why it failed, not that there is none, under its title on %s",
    (code) => {
      renderPage(
        <PendingPage title="w-1" query={failed(code, "It failed.")} notFound={notFound} />,
      );
      expect(screen.getByRole("heading", { level: 1, name: "w-1" })).toBeDefined();
      expect(screen.getByRole("alert").textContent).toContain("It failed.");
      expect(screen.queryByText(/No controller has reported/)).toBeNull();
    },
  );

  it.each([
    ["NOT_FOUND", /No controller has reported on node w-1/],
    ["FORBIDDEN", /It failed\./],
  ])("stays what it was while it is asked again: %s", (code, text) => {
    const shown = (query: PendingQuery) => <PendingPage title="w-1" {...{ query, notFound }} />;
    const page = render(shown(failed(code, "It failed.")));
    page.rerender(shown(askedAgain));
    expect(screen.getByText(text)).toBeDefined();
    expect(screen.queryByRole("status", { name: "Loading" })).toBeNull();
  });

  it("shows why it failed also where it has no sentence for an unknown object", () => {
    renderPage(<PendingPage title="Budget" query={failed("NOT_FOUND", "No such cluster.")} />);
    expect(screen.getByRole("alert").textContent).toContain("No such cluster.");
  });
});

describe("an empty list", () => {
  it("is announced, and says what would fill it", () => {
    renderPage(<EmptyState title="No volume yet">It appears with its first claim.</EmptyState>);
    const state = within(screen.getByRole("status"));
    expect(state.getByText("No volume yet")).toBeDefined();
    expect(state.getByText("It appears with its first claim.")).toBeDefined();
  });

  it("keeps its buttons within reach, in a card or not", async () => {
    const onClear = vi.fn();
    const clear = (
      <button type="button" onClick={onClear}>
        Clear
      </button>
    );
    const page = renderPage(
      <EmptyState title="None" isCard>
        {clear}
      </EmptyState>,
    );
    await page.user.click(screen.getByRole("button", { name: "Clear" }));
    page.rerender(<EmptyState title="None">{clear}</EmptyState>);
    await page.user.click(screen.getByRole("button", { name: "Clear" }));
    expect(onClear).toHaveBeenCalledTimes(2);
  });
});

describe("the head of a page", () => {
  it("shows the alarm before its summary, and no summary before there is one", () => {
    const page = renderPage(
      <PageHead title="Nodes" alarm="9 of 10 nodes are gone." sentence={undefined} />,
    );
    expect(screen.getByText("9 of 10 nodes are gone.")).toBeDefined();
    page.rerender(<PageHead title="Nodes" alarm="Beware." sentence="All is well." />);
    expect(screen.getByText(/All is well\./).textContent).toBe("Beware. All is well.");
  });

  it("names the ignored parts of an address, and nothing if all were understood", () => {
    const page = renderPage(<DroppedNote dropped={[]} />);
    expect(screen.queryByRole("status")).toBeNull();
    page.rerender(<DroppedNote dropped={["size", "odd"]} />);
    expect(screen.getByRole("status").textContent).toMatch(/: size, odd\.$/);
  });

  it("a panel is a region named by its heading", () => {
    renderPage(
      <Panel title="By controller" aside={<button type="button">As table</button>}>
        Figures
      </Panel>,
    );
    const region = within(screen.getByRole("region", { name: "By controller" }));
    expect(region.getByRole("button", { name: "As table" })).toBeDefined();
    expect(region.getByText("Figures")).toBeDefined();
  });
});

it("a message that replaces a whole page has its title as the page's heading; inside a page it does not", () => {
  const { unmount } = renderPage(<EmptyState isPage title="No such node" />);
  expect(screen.getByRole("heading", { level: 1, name: "No such node" })).toBeDefined();
  unmount();
  renderPage(<EmptyState title="No node matches" />);
  expect(screen.queryByRole("heading")).toBeNull();
});
