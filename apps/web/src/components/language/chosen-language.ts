"use client";
import { LANGUAGE_COOKIE } from "@cloudwright/core/model/language/languages";
import { useEffect } from "react";
import { currentPreferences, type Preferences, subscribeToPreferences } from "../preferences.ts";

const YEAR_MS = 365 * 24 * 3_600_000;

/** Reloads the page in the language that its user has chosen, here or in another browser. The server reads it from a cookie. */
export function useChosenLanguage(): void {
  useEffect(() => {
    follow();
    return subscribeToPreferences(follow);
  }, []);
}

function follow(): void {
  const { language } = currentPreferences();
  if (inCookie() === language) return;
  keepInCookie(language);
  // Where cookies are forbidden, pages stay in the language that the browser asks for.
  if (inCookie() === language) window.location.reload();
}

function inCookie(): string {
  const named = document.cookie.split("; ").find((each) => each.startsWith(`${LANGUAGE_COOKIE}=`));
  return named?.slice(LANGUAGE_COOKIE.length + 1) ?? "browser";
}

function keepInCookie(language: Preferences["language"]): void {
  const ends = new Date(language === "browser" ? 0 : Date.now() + YEAR_MS).toUTCString();
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is missing where a page is served over plain HTTP
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; Expires=${ends}; SameSite=Lax${secure}`;
}
