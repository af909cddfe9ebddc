import { screen } from "@testing-library/react";
import { expect } from "vitest";
import type { RenderedPage } from "./render-page.tsx";

/** Hides a column of the shown list through its menu, and restores it for the following tests. */
export async function expectChoice({ user }: RenderedPage, header: string): Promise<void> {
  // The name includes the grip that resizes the column.
  const name = new RegExp(`^${header}\\b`);
  const heads = () => screen.queryAllByRole("columnheader", { name }).length;
  await expect.poll(heads).toBe(1);
  await user.click(screen.getByRole("button", { name: "Columns" }));
  const choice = await screen.findByRole("menuitemcheckbox", { name: header });
  await user.click(choice);
  await expect.poll(heads).toBe(0);
  await user.click(choice);
  await expect.poll(heads).toBe(1);
}
