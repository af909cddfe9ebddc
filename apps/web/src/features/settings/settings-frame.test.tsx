// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ANA, renderPage } from "../../testing/render-page.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

it("links out of the settings, and to the user menu, before any cluster has reported", () => {
  renderPage(<SettingsFrame viewer={ANA}>what is set</SettingsFrame>);
  expect(screen.getByRole("main").textContent).toBe("what is set");
  expect(screen.getByRole("link", { name: "Cloudwright, clusters" })).toBeDefined();
  expect(screen.getByRole("button", { name: /Ana/ })).toBeDefined();
});
