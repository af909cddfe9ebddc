// @vitest-environment happy-dom
import type { Comment } from "@cloudwright/store/views/comments";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ANA, type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { Comments } from "./lazy-comments.tsx";

const ABOUT = { kind: "run", id: "r-1" } as const;

function comment(over: Partial<Comment> = {}): Comment {
  return {
    ...{ id: "c-1", text: "seen before", author: "Ana", at: Date.now() - 14 * 60_000 },
    ...{ withdrawn: undefined, mayWithdraw: false },
    ...over,
  };
}

function show(comments: readonly Comment[], answers: Answers = {}, viewer = ANA) {
  return renderPage(<Comments about={ABOUT} />, {
    viewer,
    answers: { "comments.list": () => comments, ...answers },
  });
}

const items = async () =>
  within(await screen.findByRole("list", { name: "Comments" })).getAllByRole("listitem");

describe("the comments on a run", () => {
  it("are shown as they were typed, with author and time, in the order of the answer", async () => {
    const markup = "<b>line</b>\n  https://example.org/x";
    show([comment({ text: markup }), comment({ id: "c-2", text: "again", author: "bo" })]);
    const [first, second] = await items();
    expect(first?.textContent).toContain(`Ana 14 min ago${markup}`);
    expect(first?.querySelector("b, a")).toBeNull();
    expect(second?.textContent).toContain("bo 14 min agoagain");
  });

  it("say when there are none", async () => {
    show([]);
    expect(await screen.findByText(/^No comments yet/)).toBeDefined();
  });

  it("are refetched on demand when they could not be read", async () => {
    show([], { "comments.list": refusal("INTERNAL_SERVER_ERROR", "It failed.") });
    expect((await screen.findByRole("alert")).textContent).toMatch(/It failed/);
    expect(screen.getByRole("button", { name: "Try again" })).toBeDefined();
  });
});

describe("writing a comment", () => {
  it("sends the text, empties the field, and refetches the comments and the audit", async () => {
    const { user, sent } = show([], { "comments.add": () => ({ id: "c-9" }) });
    const field = await screen.findByLabelText(/^Comment/);
    await user.type(field, "INC-88");
    await user.click(screen.getByRole("button", { name: "Add comment" }));
    await waitFor(() => expect((field as HTMLTextAreaElement).value).toBe(""));
    expect(sent("comments.add")).toEqual([{ cluster: "c-1", about: ABOUT, text: "INC-88" }]);
    await waitFor(() => expect(sent("comments.list")).toHaveLength(2));
  });

  it("keeps the text when it is refused, and says why", async () => {
    const { user } = show([], { "comments.add": refusal("FORBIDDEN", "Needs role operator.") });
    const field = await screen.findByLabelText(/^Comment/);
    await user.type(field, "kept");
    await user.click(screen.getByRole("button", { name: "Add comment" }));
    expect((await screen.findByRole("alert")).textContent).toBe("Needs role operator.");
    expect((field as HTMLTextAreaElement).value).toBe("kept");
  });

  it("sends nothing for blanks, and says near the limit how much room is left", async () => {
    const { user, sent } = show([]);
    const field = await screen.findByLabelText(/^Comment/);
    await user.type(field, "  ");
    await user.click(screen.getByRole("button", { name: "Add comment" }));
    expect(sent("comments.add")).toEqual([]);
    await user.click(field);
    await user.paste("x".repeat(1_900));
    expect(screen.getByText("98 characters left")).toBeDefined();
  });

  it("is not open to a viewer, and says why", async () => {
    const { user, sent } = show([], {}, { ...ANA, role: "viewer" });
    const button = await screen.findByRole("button", { name: "Add comment" });
    expect(button.getAttribute("aria-description")).toMatch(/Needs role operator.*You are viewer/);
    await user.click(button);
    expect(sent("comments.add")).toEqual([]);
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Comment/).disabled).toBe(true);
  });
});

describe("withdrawing a comment", () => {
  it("is offered where it is permitted, asks first, and is sent", async () => {
    const { user, sent } = show(
      [comment({ mayWithdraw: true }), comment({ id: "c-2", author: "bo" })],
      { "comments.withdraw": () => undefined },
    );
    await items();
    expect(screen.queryByRole("button", { name: /comment of bo/ })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Withdraw the comment of Ana" }));
    expect(screen.getByText(/cannot be brought back/)).toBeDefined();
    expect(sent("comments.withdraw")).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Withdraw comment" }));
    await waitFor(() => expect(sent("comments.withdraw")).toEqual([{ cluster: "c-1", id: "c-1" }]));
    await waitFor(() => expect(sent("comments.list")).toHaveLength(2));
  });

  it("leaves a note of who withdrew it and when", async () => {
    show([comment({ text: "", withdrawn: { by: "bo", at: Date.now() - 120_000 } })]);
    const [item] = await items();
    expect(item?.textContent).toMatch(/Withdrawn by bo 2 min ago/);
  });
});
