// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { changePreferences } from "../../components/preferences.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { viewAs } from "../../platform/viewer/view-as.ts";
import { ANA, renderPage } from "../../testing/render-page.tsx";
import { SECTIONS, sectionOf } from "./sections.ts";
import { SettingsPage } from "./settings-page.tsx";
import { UsersSection } from "./users/users-section.tsx";

const STORED = "cloudwright.preferences";
const stored = () => JSON.parse(window.localStorage.getItem(STORED) ?? "{}") as object;
const pressed = (group: string) =>
  within(screen.getByRole("group", { name: group }))
    .queryAllByRole("button", { pressed: true })
    .map(({ textContent }) => textContent);

afterEach(() => {
  changePreferences(() => ({
    density: "normal",
    ...{ zone: "local", ownZone: "local" },
    time: "relative",
    shortcuts: true,
  }));
  viewAs(undefined);
});

describe("the sections of the settings", () => {
  it.each(SECTIONS)("%s has an address of its own, and the navigation marks it", (section) => {
    renderPage(<SettingsPage section={section} cluster="c-1" />);
    const links = within(screen.getByRole("navigation", { name: "Settings" })).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual(
      SECTIONS.map((each) => `/settings/${each}`),
    );
    const current = links.filter((link) => link.getAttribute("aria-current") === "page");
    expect(current.map((link) => link.getAttribute("href"))).toEqual([`/settings/${section}`]);
  });

  it("one is fetched when it is visited", async () => {
    renderPage(<SettingsPage section="users" cluster="c-1" />);
    expect(screen.getByRole("status", { name: "Loading" })).toBeDefined();
    expect(await screen.findByRole("columnheader", { name: "admin (you)" })).toBeDefined();
  });

  it.each(["", "people", "constructor", "Users"])("there is none called “%s”", (text) => {
    expect(sectionOf(text)).toBeUndefined();
  });
});

describe("the appearance", () => {
  const show = () =>
    renderPage(
      <>
        <SettingsPage section="appearance" cluster={undefined} />
        <TimeText at={Date.UTC(2020, 0, 2, 3, 4, 5)} />
      </>,
    );

  it("is chosen with a button, at once and only for this browser", async () => {
    const page = show();
    expect(pressed("Density of rows")).toEqual(["Normal"]);
    await page.user.click(screen.getByRole("button", { name: "Compact" }));
    expect(pressed("Density of rows")).toEqual(["Compact"]);
    expect(stored()).toMatchObject({ density: "compact" });
    expect(page.calls).toEqual([]);
  });

  it("shows every time in the chosen zone and format", async () => {
    const page = show();
    await page.user.click(screen.getByRole("button", { name: "UTC" }));
    await page.user.click(screen.getByRole("button", { name: /^Absolute/ }));
    expect(pressed("Time zone")).toEqual(["UTC"]);
    expect(screen.getByText("2 Jan 2020 03:04:05")).toBeDefined();
    expect(screen.getByText(/^It is now .* UTC\.$/)).toBeDefined();
  });

  it("shows every time in a zone from the list, and names it", async () => {
    const page = show();
    await page.user.click(screen.getByRole("button", { name: /^Absolute/ }));
    const zones = screen.getByRole("combobox", { name: "Another time zone" });
    await page.user.selectOptions(zones, "America/New York");
    expect(screen.getByText("1 Jan 2020 22:04:05")).toBeDefined();
    expect(screen.getByText(/^It is now .* GMT-[45]\.$/)).toBeDefined();
    expect(pressed("Time zone")).toEqual([]);
    expect(stored()).toMatchObject({ zone: "America/New_York", ownZone: "America/New_York" });
    await page.user.click(screen.getByRole("button", { name: "UTC" }));
    expect((zones as HTMLSelectElement).value).toBe("");
    expect(stored()).toMatchObject({ zone: "UTC", ownZone: "America/New_York" });
  });

  it("keeps one choice when another is changed", async () => {
    const page = show();
    await page.user.click(screen.getByRole("button", { name: "Compact" }));
    await page.user.click(screen.getByRole("button", { name: "UTC" }));
    await page.user.click(screen.getByRole("button", { name: "Off" }));
    expect(stored()).toMatchObject({ density: "compact", zone: "UTC", shortcuts: false });
  });
});

describe("what each role may do", () => {
  const rights = () => {
    const table = within(screen.getByRole("table", { name: "What each role may do" }));
    const rows = table.getAllByRole("row").slice(1);
    return new Map(
      rows.map((row) => [
        within(row).getByRole("rowheader").textContent,
        within(row)
          .getAllByRole("cell")
          .map(({ textContent }) => /yes/.test(textContent)),
      ]),
    );
  };

  it("matches what the server decides by", () => {
    renderPage(<UsersSection cluster="c-1" />);
    const may = rights();
    expect(may.get("See everything: nodes, runs, actions, audit")).toEqual([true, true, true]);
    expect(may.get("Dry run: see what an action would change")).toEqual([true, true, true]);
    for (const operators of [
      "Retry a node, load balancer, route or volume",
      "Release what is held",
    ])
      expect(may.get(operators), operators).toEqual([false, true, true]);
    for (const admins of [
      "Override the taint of a node that is not initialised",
      "Pause a controller",
      "Release deletions that the guard holds",
      "Remove a load balancer without a Service",
      "See and end other users' sessions",
    ])
      expect(may.get(admins), admins).toEqual([false, false, true]);
  });

  it("lists each role's own permissions only once", () => {
    renderPage(<UsersSection cluster="c-1" />);
    expect(rights().size).toBe(screen.getAllByRole("rowheader").length);
  });

  it("marks the user's own role, and does not offer previews of greater ones", () => {
    renderPage(<UsersSection cluster="c-1" />, {
      viewer: { ...ANA, role: "operator" },
    });
    expect(screen.getByRole("columnheader", { name: "operator (you)" })).toBeDefined();
    expect(screen.getByRole("button", { name: "viewer" })).toBeDefined();
    expect(screen.queryByRole("button", { name: "admin" })).toBeNull();
  });

  it("offers a viewer no lesser view, because there is none", () => {
    renderPage(<UsersSection cluster="c-1" />, {
      viewer: { ...ANA, role: "viewer" },
    });
    expect(screen.queryByText("See the pages as")).toBeNull();
  });

  it("gives a viewer nothing more for writing a greater role into the browser's storage", () => {
    viewAs("admin");
    const page = renderPage(<UsersSection cluster="c-1" />, {
      viewer: { ...ANA, role: "viewer" },
    });
    expect(screen.queryByRole("button", { name: "Add user…" })).toBeNull();
    expect(page.sent("people.list")).toEqual([]);
  });
});
