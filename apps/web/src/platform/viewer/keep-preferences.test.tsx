// @vitest-environment happy-dom
import type { KeptPreferences } from "@cloudwright/core/model/preferences";
import { act, cleanup, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const STORED = "cloudwright.preferences";
const PATH = "preferences.keep";

beforeEach(() => vi.resetModules());
afterEach(() => {
  cleanup();
  localStorage.clear();
});

/** Simulates a browser loading a page: module state starts over, the storage stays. */
async function load(
  preferences: KeptPreferences | undefined,
  { id = "u-1", keep = (): unknown => null } = {},
) {
  const [{ ANA, renderPage }, { usePreferences, changePreferences }] = await Promise.all([
    import("../../testing/render-page.tsx"),
    import("../../components/preferences.ts"),
  ]);
  function Shown() {
    const { density, zone, hiddenColumns } = usePreferences();
    return <p>{[density, zone, hiddenColumns.nodes?.join(",") ?? "as at first"].join(" ")}</p>;
  }
  const viewer = { ...ANA, id, preferences };
  const page = renderPage(<Shown />, { viewer, answers: { [PATH]: keep } });
  const change = (changed: KeptPreferences) =>
    act(() => changePreferences(() => changed as Parameters<typeof Object.assign>[0]));
  return { ...page, change, kept: () => page.sent(PATH) };
}

const shows = (text: string) => screen.findByText(text);

describe("an account's preferences", () => {
  it("are used on the pages, whatever the browser had", async () => {
    localStorage.setItem(STORED, JSON.stringify({ density: "comfortable", time: "absolute" }));
    const { kept } = await load({ density: "compact", hiddenColumns: { nodes: ["zone"] } });
    await shows("compact local zone");
    expect(JSON.parse(localStorage.getItem(STORED) ?? "")).toMatchObject({ density: "compact" });
    expect(kept()).toEqual([]);
  });

  it("are used in the server's rendering", async () => {
    const { useAccountPreferences } = await import("./keep-preferences.ts");
    const { FirstPreferencesProvider, usePreferences } = await import(
      "../../components/preferences.ts"
    );
    const { ApiProvider } = await import("../../components/api.ts");
    const { QueryClient } = await import("@tanstack/react-query");
    const { createTRPCClient } = await import("@trpc/client");
    const Shown = () => usePreferences().density;
    function Page() {
      const first = useAccountPreferences({ id: "u-1", preferences: { density: "compact" } });
      return (
        <FirstPreferencesProvider value={first}>
          <Shown />
        </FirstPreferencesProvider>
      );
    }
    const client = createTRPCClient<never>({ links: [] });
    const drawn = renderToString(
      <ApiProvider trpcClient={client} queryClient={new QueryClient()}>
        <Page />
      </ApiProvider>,
    );
    expect(drawn).toBe("compact");
  });

  it("start from what was chosen in the browser, and are not created if nothing was", async () => {
    const empty = await load(undefined);
    await shows("normal local as at first");
    empty.unmount();
    expect(empty.kept()).toEqual([]);
    vi.resetModules();
    localStorage.setItem(STORED, JSON.stringify({ density: "comfortable", zone: "Asia/Tokyo" }));
    const { kept } = await load(undefined);
    await shows("comfortable Asia/Tokyo as at first");
    await expect.poll(kept).toEqual([{ density: "comfortable", zone: "Asia/Tokyo" }]);
  });

  it("are saved when they change, several together, and nothing else with them", async () => {
    const { change, kept } = await load({ density: "compact", zone: "UTC" });
    await shows("compact UTC as at first");
    change({ density: "normal" });
    change({ density: "comfortable" });
    change({ hiddenColumns: { nodes: [] } });
    await shows("comfortable UTC");
    await expect.poll(kept).toEqual([{ density: "comfortable", hiddenColumns: { nodes: [] } }]);
  });

  it("are saved for the tables that were changed, as another browser may have changed the others", async () => {
    const { change, kept } = await load({ hiddenColumns: { nodes: ["zone"], runs: ["calls"] } });
    await shows("normal local zone");
    change({ hiddenColumns: { nodes: ["zone"], runs: [] } });
    await expect.poll(kept).toEqual([{ hiddenColumns: { runs: [] } }]);
    change({ hiddenColumns: { nodes: [], runs: [] } });
    await expect.poll(kept).toHaveLength(2);
    expect(kept()[1]).toEqual({ hiddenColumns: { nodes: [] } });
  });

  it("that could not be sent win over the account's older ones at the next load, for the same user", async () => {
    const lost = await load({ density: "compact" }, { keep: () => Promise.reject(new Error()) });
    lost.change({ density: "comfortable" });
    await expect.poll(lost.kept).toEqual([{ density: "comfortable" }]);
    lost.unmount();
    vi.resetModules();
    const other = await load({ density: "normal" }, { id: "u-2" });
    await shows("normal local as at first");
    other.unmount();
    expect(other.kept()).toEqual([]);
    vi.resetModules();
    localStorage.setItem(STORED, JSON.stringify({ density: "comfortable" }));
    const { kept } = await load({ density: "compact" });
    await shows("comfortable local as at first");
    await expect.poll(kept).toEqual([{ density: "comfortable" }]);
    await expect.poll(() => localStorage.getItem("cloudwright.preferences.unsent")).toContain("[]");
  });

  it("that this browser cannot show stay unchanged in the account", async () => {
    const { kept, change } = await load({ zone: "Mars/Olympus" });
    await shows("normal local as at first");
    change({ density: "compact" });
    await expect.poll(kept).toEqual([{ density: "compact" }]);
  });
});
