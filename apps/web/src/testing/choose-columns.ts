import { screen } from "@testing-library/react";
import { expect } from "vitest";
import type { RenderedPage } from "./render-page.tsx";

/** Takes a column of the shown list away by its menu, and brings it back for the tests that follow. */
export async function expectChoice({ user }: RenderedPage, header: string): Promise<void> {
  // The grip by which it is sized belongs to its name.
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
