import { expect, stateCounter, test } from "./dashboard-test.ts";

const FLEET = 500;
test.use({ fleet: FLEET });
test.setTimeout(300_000);

/** What the page said of how many nodes, in the order in which it said it. */
const ALL = /All ([\d,]+) nodes/;

test("while 500 nodes start at once the Overview never takes those that have reported for all", async ({
  page,
  cluster,
}, info) => {
  await page.goto(cluster);
  const answer = page
    .getByRole("banner")
    .or(page.locator("header"))
    .filter({ hasText: "Overview" });
  const seen: string[] = [];
  await expect
    .poll(
      async () => {
        const text = (await answer.first().textContent()) ?? "";
        if (text !== seen.at(-1)) {
          seen.push(text);
          if (seen.length === 2)
            await page.screenshot({ path: info.outputPath("wave-overview.png"), fullPage: true });
        }
        return ALL.exec(text)?.[1];
      },
      { timeout: 240_000, intervals: [500] },
    )
    .toBe(String(FLEET));
  const claims = seen.flatMap((text) => ALL.exec(text)?.[1] ?? []);
  expect(claims, seen.join("\n")).toEqual(claims.map(() => String(FLEET)));
  await page.goto(`${cluster}/nodes`);
  await expect(stateCounter(page, "OK")).toHaveText(`OK${FLEET}`);
  await page.screenshot({ path: info.outputPath("wave-nodes.png") });
});
