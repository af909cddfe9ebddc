// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { CopyButton, CopyTextButton } from "./copy-button.tsx";

afterEach(() => vi.unstubAllGlobals());

/** Called after rendering, because the test driver installs a clipboard of its own at that point. */
function withClipboard(clipboard: Pick<Clipboard, "writeText"> | undefined) {
  vi.stubGlobal("navigator", { ...navigator, clipboard });
}

describe.each([
  [
    "a small button",
    <CopyButton key="1" text="req-1" label="Copy the request" />,
    "Copy the request",
  ],
  [
    "a button with words",
    <CopyTextButton key="2" text={() => "req-1"} label="Copy link" />,
    "Copy link",
  ],
])("copying with %s", (_, button, name) => {
  it("copies the text and announces it, also to screen readers", async () => {
    const writeText = vi.fn(() => Promise.resolve());
    const page = renderPage(button);
    withClipboard({ writeText });
    await page.user.click(screen.getByRole("button", { name }));
    await expect.poll(() => screen.getByRole("status").textContent).toBe("Copied");
    expect(writeText).toHaveBeenCalledWith("req-1");
  });

  it.each([
    ["the browser refuses", { writeText: () => Promise.reject(new Error("denied")) }],
    ["there is no clipboard, as without TLS", undefined],
  ])("does not say that it was copied if %s", async (_why, clipboard) => {
    const page = renderPage(button);
    withClipboard(clipboard);
    await page.user.click(screen.getByRole("button", { name }));
    await expect
      .poll(() => screen.getByRole("status").textContent)
      .toBe("The browser does not allow copying here");
  });

  it("stops announcing it once the focus has moved on", async () => {
    const page = renderPage(button);
    withClipboard({ writeText: () => Promise.resolve() });
    await page.user.click(screen.getByRole("button", { name }));
    await expect.poll(() => screen.getByRole("status").textContent).toBe("Copied");
    await page.user.tab();
    expect(screen.getByRole("status").textContent).toBe("");
  });
});
