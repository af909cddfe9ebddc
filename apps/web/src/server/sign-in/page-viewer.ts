import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { isUnreachable } from "../errors.ts";
import { log } from "../log.ts";
import { type Viewer, viewerOf } from "./viewer.ts";

export type PageViewer =
  | { readonly kind: "viewer"; readonly viewer: Viewer }
  | { readonly kind: "unreachable" };

/** Who looks at this page; nobody is sent to sign in, and a lost database is an answer, not a crash. */
export async function pageViewer(): Promise<PageViewer> {
  const requested = await headers();
  const viewer = await viewerOf(requested).catch((error: unknown) => {
    if (!isUnreachable(error)) throw error;
    log.error("A page could not reach the database", { error: String(error) });
    return "unreachable" as const;
  });
  if (viewer === "unreachable") return { kind: "unreachable" };
  if (viewer === undefined) {
    redirect(`/sign-in?next=${encodeURIComponent(requested.get("x-path") ?? "/")}`);
  }
  return { kind: "viewer", viewer };
}
