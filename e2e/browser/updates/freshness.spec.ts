import type { Page } from "@playwright/test";
import { freeze } from "../../harness/freeze.ts";
import { dotOf, expect, openLive, test } from "../fixtures/links.ts";
import { snapshot } from "../fixtures/pictures.ts";

/** The time within which a failed link is shown: the longest silence that pages tolerate is 60 s. */
const NOTICED = { timeout: 100_000 };

test.setTimeout(240_000);

test("a stopped leader is named, with the time, and what it reported is not shown as current", async ({
  page,
  links,
}, info) => {
  await openLive(page, links);
  await expect(page.getByRole("region", { name: "Nodes" })).toContainText("OK3", NOTICED);
  const green = await toneOfOk(page);
  const goOn = freeze(links.controller().pid);
  try {
    const banner = bannerOf(
      page,
      /^The leader .+ last reported at \d\d:\d\d:\d\d; current state unknown/,
    );
    await expect(banner).toBeVisible(NOTICED);
    await agreesThatItIsOld(page);
    await snapshot(page, info, "leader-stopped-overview");
    expect(await toneOfOk(page), "the colour of what was OK").not.toBe(green);
    await expect(page.getByRole("region", { name: "Controllers" }).getByText("Idle")).toHaveCount(
      0,
    );
    await claimsNothingOf(page, /database.*(cannot|gone|away)|Kubernetes API/i);
    for (const list of ["nodes", "load-balancers"]) {
      await page.goto(`${links.path}/${list}`);
      const answer = page.getByRole("main").locator("header p").first();
      await expect(answer, list).toHaveText(/^Current state unknown; as of \d\d:\d\d:\d\d: ./);
    }
    await page.goto(`${links.path}/nodes/node-1`);
    await expect(
      page.getByText(/^Current state unknown; as of .+: Node node-1 is OK/),
    ).toBeVisible();
    await snapshot(page, info, "leader-stopped-node");
    await page.goto(links.path);
  } finally {
    goOn();
  }
  // Its Lease has expired unclaimed, so it exits, and its supervisor starts another.
  await links.controller().ended;
  await links.startController();
  await isLiveAgain(page);
  expect(await toneOfOk(page), "the colour of what is OK").toBe(green);
});

test("a silent watch is reported as a broken connection between leader and API server", async ({
  page,
  links,
}, info) => {
  await openLive(page, links, "/nodes");
  const speak = await links.cluster.silenceWatches();
  try {
    await expect(
      bannerOf(
        page,
        /^The leader has received nothing from the Kubernetes API since \d\d:\d\d:\d\d/,
      ),
    ).toBeVisible(NOTICED);
    await agreesThatItIsOld(page);
    await snapshot(page, info, "watch-silent-nodes");
    await claimsNothingOf(page, /cannot reach|last reported at/);
  } finally {
    await speak();
  }
  await isLiveAgain(page);
});

test("a dead dashboard server is named, nothing is said about the links behind it, and the page recovers", async ({
  page,
  links,
}, info) => {
  await openLive(page, links, "/nodes/node-1");
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  await links.stopDashboard();
  await expect(dotOf(page)).toHaveText(/^Reconnecting/);
  try {
    await expect(
      bannerOf(
        page,
        /^This page has been unable to reach the dashboard's server since \d\d:\d\d:\d\d\. What is shown was last updated at/,
      ),
    ).toBeVisible(NOTICED);
    await agreesThatItIsOld(page);
    await snapshot(page, info, "web-stopped-node");
    await claimsNothingOf(page, /reach its database|controllers go on|last reported at/);
    const retry = page.getByRole("button", { name: "Retry now" });
    await expect(retry).toHaveAttribute("aria-disabled", "true");
    await expect(retry).toHaveAttribute("aria-description", /no action can be requested/);
  } finally {
    await links.startDashboard();
  }
  await isLiveAgain(page);
  await expect(page.getByRole("button", { name: "Retry now" })).toBeEnabled();
  expect(await page.evaluate(() => "stayed" in window), "the page is the same").toBe(true);
});

test("a frozen database is named, and pages neither hang nor lie, and recover when it thaws", async ({
  page,
  context,
  links,
}, info) => {
  await openLive(page, links);
  const thaw = freeze(links.database.pid);
  try {
    await expect(
      bannerOf(
        page,
        /^The dashboard's server has been unable to reach its database since \d\d:\d\d:\d\d\. What is shown was last updated at/,
      ),
    ).toBeVisible(NOTICED);
    await agreesThatItIsOld(page);
    await snapshot(page, info, "database-frozen-overview");
    await claimsNothingOf(page, /reach the dashboard's server|controllers go on|last reported at/);
    const other = await context.newPage();
    await other.goto(`${links.path}/nodes`);
    const heading = other.getByRole("heading", { level: 1 });
    await expect(heading).toHaveText("The dashboard cannot reach its database");
    thaw();
    await expect(heading).toHaveText("Nodes", NOTICED);
    await other.close();
  } finally {
    thaw();
  }
  await isLiveAgain(page);
});

function bannerOf(page: Page, text: RegExp) {
  return page.getByRole("status").locator("p", { hasText: text });
}

/** Checks that dot, banner, dimming and the page's first sentence agree, and name the same time. */
async function agreesThatItIsOld(page: Page): Promise<void> {
  await expect(dotOf(page)).toHaveText(/^Stale since \d\d:\d\d:\d\d$/);
  const since = /[\d:]+$/.exec((await dotOf(page).textContent()) ?? "")?.[0] ?? "nothing";
  await expect(page.getByRole("status").locator("p", { hasText: since })).toBeVisible();
  await expect(page.locator("[data-old=true]").first()).toBeVisible();
  const main = page.getByRole("main");
  await expect(
    main.getByText(/^Current state unknown; as of \d\d:\d\d:\d\d:/).first(),
  ).toBeVisible();
}

async function isLiveAgain(page: Page): Promise<void> {
  await expect(dotOf(page)).toHaveText("Live", NOTICED);
  await expect(page.getByText(/Stale|may be out of date|current state unknown/i)).toHaveCount(0);
}

async function claimsNothingOf(page: Page, claim: RegExp): Promise<void> {
  await expect(page.getByRole("status").filter({ hasText: claim })).toHaveCount(0);
}

/** Returns the computed colour. */
function toneOfOk(page: Page): Promise<string> {
  const icon = page.getByRole("region", { name: "Nodes" }).getByRole("link", { name: /^OK/ });
  return icon.locator("svg").evaluate((svg) => getComputedStyle(svg).color);
}
