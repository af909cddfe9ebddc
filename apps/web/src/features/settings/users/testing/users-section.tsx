import type { UserView } from "@cloudwright/store/views/views";
import { screen, within } from "@testing-library/react";
import { type Answers, renderPage } from "../../../../testing/render-page.tsx";
import { UsersSection } from "../users-section.tsx";

export const BEN: UserView = {
  id: "u-2",
  name: "Ben",
  email: "ben@example.org",
  role: "operator",
  clusters: "all",
  disabled: false,
  disabledWhy: undefined,
  hasPassword: true,
  authenticator: undefined,
  isExternal: false,
  clustersByGroups: false,
  sessions: 2,
  lastSeenAt: undefined,
  createdAt: 0,
  failedSignIns: undefined,
};

export const LINK = { url: "https://dashboard.example/redeem?t=1", expiresAt: Date.now() + 60_000 };

export function show(answers: Answers = {}, users: readonly UserView[] = [BEN]) {
  return renderPage(<UsersSection cluster="c-1" />, {
    answers: { "people.list": () => users, ...answers },
  });
}

/** Opens the dialog behind `item` of Ben's menu. */
export async function openTask(page: ReturnType<typeof show>, item: string) {
  await page.user.click(await screen.findByRole("button", { name: "Change Ben" }));
  await page.user.click(await screen.findByRole("menuitem", { name: item }));
  return within(await screen.findByRole("dialog"));
}
