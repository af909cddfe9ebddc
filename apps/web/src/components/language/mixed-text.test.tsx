// @vitest-environment happy-dom
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so catalogs name the values of a message
import { speak } from "@cloudwright/core/model/language/text";
import { render } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { mixed } from "./mixed-text.ts";

afterEach(() => {
  vi.restoreAllMocks();
  speak({ language: "en", catalogOf: () => undefined });
});

const CATALOG = { "Ask ${0} to approve ${1}.": "${1}：请 ${0} 批准。" };

describe("a text with embedded elements", () => {
  it.each([
    ["en", "Ask ana to approve w-1."],
    ["zh", "w-1：请 ana 批准。"],
    ["fr", "Ask ana to approve w-1."],
  ] as const)("has them where %s puts them, and without a complaint", (language, text) => {
    const complain = vi.spyOn(console, "error").mockReturnValue();
    speak({ language, catalogOf: (asked) => (asked === "zh" ? CATALOG : {}) });
    const { container } = render(<p>{mixed`Ask ${<b>ana</b>} to approve ${<i>w-1</i>}.`}</p>);
    expect(container.textContent).toBe(text);
    expect(container.querySelector("b")?.textContent).toBe("ana");
    expect(complain).not.toHaveBeenCalled();
  });
});
