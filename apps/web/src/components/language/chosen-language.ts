"use client";
import { LANGUAGE_COOKIE } from "@cloudwright/core/model/language/languages";
import { t } from "@cloudwright/core/model/language/text";
import { useEffect } from "react";
import { type Preferences, usePreferences } from "../preferences.ts";

const YEAR_S = 365 * 24 * 3_600;

/** Draws the page again in the language that its user has chosen, wherever they chose it. */
export function useChosenLanguage(): void {
  const { language } = usePreferences();
  useEffect(() => {
    if (chosenHere() === language) return;
    choose(language);
    // Where cookies are forbidden it stays as the browser asks for.
    if (chosenHere() === language) window.location.reload();
  }, [language]);
}

function chosenHere(): string {
  const named = document.cookie.split("; ").find((each) => each.startsWith(`${LANGUAGE_COOKIE}=`));
  return named?.slice(LANGUAGE_COOKIE.length + 1) ?? "browser";
}

function choose(language: Preferences["language"]): void {
  const age = language === "browser" ? 0 : YEAR_S;
  const secure = window.location.protocol === "https:" ? t`; Secure` : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the store of cookies is not in all browsers that we support
  document.cookie = t`${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
}
