"use client";
import { t } from "@cloudwright/core/model/language/text";
import { chosenKey } from "@cloudwright/core/model/preferences";
import { useRouter } from "next/navigation";
import { Link } from "../link.tsx";
import { usePreferences } from "../preferences.ts";
import { useShortcuts } from "../shortcuts.ts";
import { type NeighbourPages, useTrailNeighbours } from "./use-trail.ts";

/** Binds the keys `[` and `]` to the previous and the next page. */
export function useNeighbourKeys({ previous, next }: NeighbourPages): void {
  const router = useRouter();
  const go = (page: string | undefined) =>
    page === undefined ? undefined : () => router.push(page);
  useShortcuts({ "[": go(previous), "]": go(next) });
}

/** The same two pages as links, each of which names its key. */
export function NeighbourLinks({ previous, next }: NeighbourPages) {
  const { keys } = usePreferences();
  return (
    <>
      <NeighbourLink page={previous} label={t`‹ Previous`} keyName={chosenKey(keys, "[")} />
      <NeighbourLink page={next} label={t`Next ›`} keyName={chosenKey(keys, "]")} />
    </>
  );
}

/** Links to the neighbours in the list that led to this page; nothing if no list did. */
export function TrailLinks() {
  const pages = useTrailNeighbours();
  if (pages.previous === undefined && pages.next === undefined) return null;
  return <NeighbourLinks {...pages} />;
}

/** Binds their keys, also while the page is loading or when its object no longer exists. */
export function useTrailKeys(): void {
  useNeighbourKeys(useTrailNeighbours());
}

function NeighbourLink({
  page,
  label,
  keyName,
}: {
  readonly page: string | undefined;
  readonly label: string;
  readonly keyName: string;
}) {
  return page === undefined ? (
    <span className="quiet" aria-hidden="true">
      {label}
    </span>
  ) : (
    <Link href={page} title={t`Key ${keyName}`} aria-keyshortcuts={keyName}>
      {label}
    </Link>
  );
}
