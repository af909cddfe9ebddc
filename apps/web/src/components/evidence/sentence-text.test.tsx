// @vitest-environment happy-dom
import type { Reason } from "@cloudwright/core/model/reason";
import { expect, it } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { speakIn } from "../../testing/speak-in.ts";
import { CauseText, WholeCause } from "./sentence-text.tsx";

const OTHER: Reason = { code: "Other", name: "Quarantined", text: "the rack is being rewired" };
const OURS: Reason = { code: "InStep" };

it.each([
  {
    title: "another controller's own text in a French page",
    language: "fr",
    reason: OTHER,
    lang: "en",
  },
  { title: "not our own reasons there", language: "fr", reason: OURS, lang: "" },
  { title: "nothing in an English page", language: "en", reason: OTHER, lang: "" },
] as const)("of causes, $title is marked as English", ({ language, reason, lang }) => {
  speakIn(language);
  const { container } = renderPage(
    <>
      <CauseText reason={reason} />
      <WholeCause reason={reason} />
    </>,
  );
  const marks = [...container.querySelectorAll("span")].map((one) => one.lang);
  expect(marks.slice(0, 2)).toEqual([lang, lang]);
});
