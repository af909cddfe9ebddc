import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { CLUSTER, expect, test } from "../fixtures/ledger.ts";

async function downloaded(page: Page, format: "CSV" | "JSON"): Promise<[string, string]> {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: `As ${format}` }).click();
  const file = await download;
  return [file.suggestedFilename(), await readFile(await file.path(), "utf8")];
}

test("a list is downloaded with exactly the rows and order of its address", async ({ page }) => {
  await page.goto(`/c/${CLUSTER}/nodes?q=node-001&sort=-name`);
  const names = page.locator("tbody").getByRole("link", { name: /^node-/ });
  await expect(names.first()).toBeVisible();
  const shown = await names.allTextContents();
  const [name, text] = await downloaded(page, "JSON");
  expect(name).toMatch(/^nodes-.*Z\.json$/);
  const file = JSON.parse(text);
  expect(file).toMatchObject({ list: "nodes", filter: { text: "node-001" }, order: "-name" });
  expect(file.cluster.id).toBe(CLUSTER);
  const listed = file.rows.map((row: { readonly name: string }) => row.name);
  expect(listed.slice(0, shown.length)).toEqual(shown);
  expect(listed.length).toBe(file.count);
});

test("a list is also downloaded as CSV, with a header", async ({ page }) => {
  await page.goto(`/c/${CLUSTER}/nodes?sort=name`);
  const [name, text] = await downloaded(page, "CSV");
  expect(name).toMatch(/^nodes-.*Z\.csv$/);
  const lines = text.trimEnd().split("\r\n");
  expect(lines[0]).toBe("# Cloudwright export of,nodes");
  expect(lines[3]).toBe("# filter,{}");
  expect(lines[5]).toMatch(/^State,Name,Why,/);
  expect(lines.length - 6).toBe(60);
});

for (const path of ["load-balancers", "routes", "runs", "actions", "audit", "budget"]) {
  test(`the list of the page ${path} is downloaded as a file`, async ({ page }) => {
    await page.goto(`/c/${CLUSTER}/${path}`);
    const [name, text] = await downloaded(page, "JSON");
    expect(name.startsWith(`${path}-`)).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ filter: expect.anything() });
  });
}
