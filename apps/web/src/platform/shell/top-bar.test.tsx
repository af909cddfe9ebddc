// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { changePreferences, chooseZone } from "../../components/preferences.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { cluster, instance, NO_STATES } from "../../testing/cluster-view.ts";
import { ANA, renderPage } from "../../testing/render-page.tsx";
import { TopBar } from "./top-bar.tsx";

/** A menu is loaded when it is first opened. */
const PATIENT = { timeout: 10_000 };

const SOUTH = cluster({
  ...{ id: "c-2", name: "south", nodes: { ...NO_STATES, ok: 4, stuck: 1 } },
  leader: instance(),
});

function show(name: string | undefined = "prod", address = "/c/c-1") {
  return renderPage(
    <>
      <TopBar cluster="c-1" name={name} />
      <TimeText at={Date.UTC(2020, 0, 2, 3, 4, 5)} />
    </>,
    {
      viewer: { ...ANA, role: "operator" },
      address,
      answers: { "clusters.list": () => [cluster(), SOUTH] },
    },
  );
}

afterEach(() =>
  act(() =>
    changePreferences(() => ({
      ...{ zone: "local", ownZone: "local" },
      time: "relative",
      shortcuts: true,
    })),
  ),
);

describe("the switcher of clusters", () => {
  it("is named after the page's cluster, even before its name is known", () => {
    const page = show();
    expect(screen.getByRole("button", { name: "Cluster prod" })).toBeDefined();
    page.unmount();
    renderPage(<TopBar cluster="c-1" name={undefined} />, { address: "/c/c-1" });
    expect(screen.getByRole("button", { name: "Cluster c-1" })).toBeDefined();
  });

  it("requests the clusters when it is opened, and links to each, with the current one marked", async () => {
    const page = show();
    expect(page.sent("clusters.list")).toEqual([]);
    await page.user.click(screen.getByRole("button", { name: "Cluster prod" }));
    const south = await screen.findByRole("menuitem", { name: /south/ }, PATIENT);
    expect(south.getAttribute("href")).toBe("/c/c-2");
    expect(south.getAttribute("aria-current")).toBeNull();
    const prod = screen.getByRole("menuitem", { name: /prod/ });
    expect(prod.getAttribute("aria-current")).toBe("true");
    const all = screen.getByRole("menuitem", { name: "All clusters" });
    expect(all.getAttribute("href")).toBe("/");
  });
});

it("keeps the page and its filter in another cluster, but not what exists only in the first", async () => {
  const page = show("prod", "/c/c-1/nodes?state=stuck&peek=w-1");
  await page.user.click(screen.getByRole("button", { name: "Cluster prod" }));
  const south = await screen.findByRole("menuitem", { name: /south/ }, PATIENT);
  expect(south.getAttribute("href")).toBe("/c/c-2/nodes?state=stuck");
});

describe("the time zone", () => {
  it("is changed for every time on the page, and back", async () => {
    const page = show();
    act(() => changePreferences(() => ({ time: "absolute", zone: "local" })));
    await page.user.click(screen.getByRole("button", { name: "Local" }));
    expect(screen.getByText("2 Jan 2020 03:04:05")).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "UTC" }));
    expect(screen.getByRole("button", { name: "Local" })).toBeDefined();
  });

  it("is named by its city, and switches back from UTC to the chosen one", async () => {
    const page = show();
    act(() => changePreferences(() => ({ time: "absolute" })));
    act(() => chooseZone("Asia/Kolkata"));
    const button = screen.getByRole("button", { name: "Kolkata" });
    expect(button.title).toBe("Times are in Asia/Kolkata. Show them in UTC.");
    expect(screen.getByText("2 Jan 2020 08:34:05")).toBeDefined();
    await page.user.click(button);
    expect(screen.getByText("2 Jan 2020 03:04:05")).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "UTC" }));
    expect(screen.getByRole("button", { name: "Kolkata" })).toBeDefined();
    act(() => chooseZone("local"));
  });
});

describe("the theme", () => {
  it("is chosen from its menu, which marks the current one", async () => {
    const page = show();
    await page.user.click(screen.getByRole("button", { name: "Theme" }));
    await page.user.click(await screen.findByRole("menuitemradio", { name: "Dark" }));
    await expect.poll(() => document.documentElement.dataset.mantineColorScheme).toBe("dark");
    await page.user.click(screen.getByRole("button", { name: "Theme" }));
    const dark = await screen.findByRole("menuitemradio", { name: "Dark" });
    expect(dark.getAttribute("aria-checked")).toBe("true");
  });
});

describe("the user menu", () => {
  const openMenu = async () => {
    const page = show();
    await page.user.click(screen.getByRole("button", { name: /Account of Ana, operator/ }));
    return { page, menu: within(await screen.findByRole("menu")) };
  };

  it("shows the user's address and role", async () => {
    const { menu } = await openMenu();
    expect(menu.getByText("ana@example.org · operator")).toBeDefined();
  });

  it("turns single-key shortcuts off and on again", async () => {
    const { page, menu } = await openMenu();
    const item = menu.getByRole("menuitemcheckbox", { name: "Single-key shortcuts" });
    expect(item.getAttribute("aria-checked")).toBe("true");
    await page.user.click(item);
    const stored = JSON.parse(window.localStorage.getItem("cloudwright.preferences") ?? "{}");
    expect(stored).toMatchObject({ shortcuts: false });
  });

  it("signs out by a POST form, so that no followed link does it", async () => {
    const { menu } = await openMenu();
    const form = menu.getByRole("menuitem", { name: "Sign out" }).closest("form");
    expect(form?.method).toBe("post");
    expect(form?.getAttribute("action")).toBe("/sign-out");
    sessionStorage.setItem("cloudwright.trail", "the list that was left");
    fireEvent.submit(form ?? document.body);
    expect(sessionStorage).toHaveLength(0);
  });
});
