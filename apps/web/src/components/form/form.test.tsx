// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { AskingForm, Field, type FormFields } from "./form.tsx";

const IDLE = { isPending: false, error: null };

function show() {
  const submitted: (string | undefined)[] = [];
  const onSubmit = ({ text }: FormFields) => submitted.push(text("name"));
  const page = renderPage(
    <AskingForm button="Save" state={IDLE} onSubmit={onSubmit}>
      <Field label="Note" name="note" />
      <Field label="Name" name="name" required />
    </AskingForm>,
  );
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  return { ...page, field, submitted };
}

it("takes spaces alone in a required field for nothing, and reports it at that field", async () => {
  const { user, field, submitted } = show();
  await user.type(field("Name"), "   ");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(submitted).toEqual([]);
  expect(field("Name").validity.valueMissing).toBe(true);
  await user.type(field("Name"), " stuck ");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(submitted).toEqual(["stuck"]);
});

it("leaves spaces alone in a field that may stay empty", async () => {
  const { user, field, submitted } = show();
  await user.type(field("Note"), "  ");
  await user.type(field("Name"), "stuck");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(submitted).toEqual(["stuck"]);
  expect(field("Note").value).toBe("  ");
});
