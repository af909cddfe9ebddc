import type { KeptPreferences } from "@cloudwright/core/model/preferences";
import { preferencesOf } from "@cloudwright/store/users/preferences";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { unlessDatabaseSilent } from "../database-check.ts";
import { isUnreachable } from "../errors.ts";
import { ledger } from "../ledger.ts";
import { log } from "../log.ts";
import { type Viewer, viewerOf } from "./viewer.ts";

/** Includes the user's preferences, so that the server renders the page with them. */
interface ViewerOfPage extends Viewer {
  readonly preferences: KeptPreferences | undefined;
}

export type PageViewer =
  | { readonly kind: "viewer"; readonly viewer: ViewerOfPage }
  | { readonly kind: "unreachable" };

/**
 * Returns who is looking at this page, without redirecting to sign-in; a lost database is an answer, not a crash. It is looked up once per
 * request, even if both the page and its title need it.
 */
export const pageViewer = cache(async (): Promise<PageViewer> => {
  const requested = await headers();
  const viewer = await viewerWithPreferences(requested).catch((error: unknown) => {
    if (!isUnreachable(error)) throw error;
    log.error("A page could not reach the database", { error: String(error) });
    return "unreachable" as const;
  });
  if (viewer === "unreachable") return { kind: "unreachable" };
  if (viewer === undefined) {
    redirect(`/sign-in?next=${encodeURIComponent(requested.get("x-path") ?? "/")}`);
  }
  return { kind: "viewer", viewer };
});

async function viewerWithPreferences(requested: Headers): Promise<ViewerOfPage | undefined> {
  const viewer = await viewerOf(requested);
  if (viewer === undefined) return undefined;
  return {
    ...viewer,
    preferences: await unlessDatabaseSilent(preferencesOf(ledger(), viewer.id)),
  };
}
