import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import {
  LANGUAGE_COOKIE,
  type Language,
  languageAskedFor,
  languageSchema,
} from "@cloudwright/core/model/language/languages";
import { speak } from "@cloudwright/core/model/language/text";
import { processWide } from "../process-wide.ts";
import { catalogOf } from "./catalogs.ts";

const spoken = processWide("language", () => new AsyncLocalStorage<Language>());

/** From now on, all work for a request is worded in the request's language. Work without a request is worded in English. */
export function speakLanguages(): void {
  speak({
    get language() {
      return spoken.getStore() ?? "en";
    },
    catalogOf,
  });
}

export function inLanguageOf<Result>(request: IncomingMessage, serve: () => Result): Result {
  return spoken.run(languageOf(request), serve);
}

/** Words something that is stored: the audit record and everything read later are in English, whoever asked for it. */
export function inEnglish<Result>(word: () => Result): Result {
  return spoken.run("en", word);
}

/** Returns the language that the user chose, otherwise the browser's. Scripts and files get English, like Events and logs. */
export function languageOf({
  url = "",
  headers,
}: Pick<IncomingMessage, "url" | "headers">): Language {
  if (url.startsWith("/api/") && !url.startsWith("/api/trpc/")) return "en";
  return chosenIn(headers.cookie ?? "") ?? languageAskedFor(headers["accept-language"] ?? "");
}

function chosenIn(cookies: string): Language | undefined {
  const named = cookies
    .split(";")
    .map((each) => each.trim().split("=", 2))
    .find(([name]) => name === LANGUAGE_COOKIE);
  return languageSchema.safeParse(named?.[1]).data;
}
