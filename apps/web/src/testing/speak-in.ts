import type { Language } from "@cloudwright/core/model/language/languages";
import { speak } from "@cloudwright/core/model/language/text";
import { onTestFinished } from "vitest";
import { catalogOf } from "../server/language/catalogs.ts";

/** Sets the language of texts until the end of the test. */
export function speakIn(language: Language): void {
  speak({ language, catalogOf });
  onTestFinished(() => speak({ language: "en", catalogOf: () => undefined }));
}
