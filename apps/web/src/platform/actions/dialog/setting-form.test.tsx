// @vitest-environment happy-dom
import type { Intent } from "@cloudwright/core/model/actions/intent";
import type { SettingName } from "@cloudwright/core/model/settings/setting-names";
import { act, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { ActionButton } from "../action-button.tsx";
import { closeDialog } from "../dialog-store.ts";
import { settingChange } from "../setting-choice.ts";
import { intent, shownPlan } from "../testing/intents.ts";
import { ActionDialogs } from "./action-dialogs.tsx";

type Request = Pick<Intent, "kind" | "action"> & { readonly confirmation?: string };

async function open(setting: SettingName, from: string, reset?: string) {
  const change = {
    setting,
    from,
    value: reset ?? from,
    ...(reset ? { reset: true as const } : {}),
  };
  const page = renderPage(
    <>
      <ActionButton choice={settingChange("c-1", change)}>Begin</ActionButton>
      <ActionDialogs />
    </>,
    {
      answers: {
        "intents.request": (input) => {
          const { kind, action } = input as Request;
          return kind === "preview"
            ? intent({ kind, action, state: "verified", preview: shownPlan() })
            : intent({ kind, action });
        },
      },
    },
  );
  await page.user.click(screen.getByRole("button", { name: "Begin" }));
  const dialog = within(await screen.findByRole("dialog"));
  const sent = () => page.sent("intents.request") as readonly Request[];
  const previews = () => sent().filter(({ kind }) => kind === "preview");
  const requested = () => sent().filter(({ kind }) => kind !== "preview");
  const type = async (value: string) => {
    const field = dialog.getByRole("textbox", { name: /now/ });
    await page.user.clear(field);
    await page.user.type(field, value);
  };
  return { page, dialog, previews, requested, type };
}

afterEach(() => act(closeDialog));

describe("the dialog of a setting", () => {
  it("asks for the value first without planning, and then requests one plan for the typed value", async () => {
    const { page, dialog, previews, requested, type } = await open("node-monitor-period", "5s");
    expect(screen.getByRole("dialog", { name: "Change --node-monitor-period" })).toBeDefined();
    const button = () => dialog.getByRole("button", { name: /^Set/ });
    expect(button().getAttribute("aria-description")).toBe("The form is not complete yet.");
    await type("20s");
    await dialog.findByText(/^Effect now, planned/);
    expect(previews().map(({ action }) => action)).toEqual([
      { kind: "set-setting", setting: "node-monitor-period", from: "5s", value: "20s" },
    ]);
    expect(dialog.getByText(/noticed up to 20.s later instead of 5.s/)).toBeDefined();
    await page.user.type(dialog.getByLabelText(/^Reason/), "INC-88");
    await page.user.click(button());
    expect(requested()).toMatchObject([{ kind: "set-setting", why: "INC-88", planHash: "h-1" }]);
  });

  it("says which values are allowed when another is typed, and plans nothing", async () => {
    const { dialog, previews, type } = await open("node-monitor-period", "5s");
    await type("1ms");
    expect(
      await dialog.findByText(/must be a duration between 1s and 24h, and cannot be "1ms"\./),
    ).toBeDefined();
    expect(previews()).toEqual([]);
  });

  it.each<[SettingName, string, string, Intent["kind"], RegExp]>([
    [
      "ledger-retention-runs",
      "30d",
      "3d",
      "shorten-retention",
      /deletes the runs that are older than 3.d/,
    ],
    ["node-deletion-guard", "5,10%,10m", "off", "loosen-guard", /^Without the guard/],
  ])(
    "of %s requires typing the new value again if the change loses or admits something",
    async (...[setting, from, value, kind, says]) => {
      const { page, dialog, requested, type } = await open(setting, from);
      await type(value);
      await dialog.findByText(/^Effect now, planned/);
      expect(dialog.getByText(says)).toBeDefined();
      await page.user.type(dialog.getByLabelText(/^Reason/), "INC-88");
      const confirm = () =>
        page.user.click(dialog.getByRole("button", { name: `Set to ${value}` }));
      await confirm();
      expect(dialog.getByText(`Type exactly ${value}.`)).toBeDefined();
      expect(requested()).toEqual([]);
      await page.user.type(dialog.getByLabelText(/^Type the new value/), value);
      await confirm();
      expect(requested()).toMatchObject([{ kind, confirmation: value }]);
    },
  );

  it("asks for no value when resetting to the flag", async () => {
    const { page, dialog, requested } = await open("node-monitor-period", "20s", "5s");
    const title = "Set --node-monitor-period back to the flag, 5s";
    expect(screen.getByRole("dialog", { name: title })).toBeDefined();
    await dialog.findByText(/^Effect now, planned/);
    await page.user.type(dialog.getByLabelText(/^Reason/), "INC-88 is over");
    await page.user.click(dialog.getByRole("button", { name: "Set to 5s" }));
    expect(requested()).toMatchObject([{ action: { reset: true, from: "20s", value: "5s" } }]);
  });
});
