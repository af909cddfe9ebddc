"use client";
import { type ReactNode, useCallback } from "react";
import page from "../../components/page.module.css";
import { SearchBox } from "../../components/search-box.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import type { ChangeView } from "../../components/url/use-url-state.ts";

/** A list that is only searched by a text, with a word on what stands in it. */
export function SearchedList<View extends { readonly text: string }>({
  things,
  placeholder,
  about,
  view,
  replace,
  refetch,
  children,
}: {
  /** `foreign routes`, for what the filter is of. */
  readonly things: string;
  /** What a text is looked for in. */
  readonly placeholder: string;
  readonly about: ReactNode;
  readonly view: View;
  readonly replace: ChangeView<View>;
  readonly refetch: () => unknown;
  /** The rows. */
  readonly children: ReactNode;
}) {
  useShortcuts({ r: () => void refetch() });
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  return (
    <>
      <div className={page.toolbar}>
        <SearchBox
          label={`Filter ${things}`}
          placeholder={placeholder}
          value={view.text}
          onChange={onText}
        />
        <p className={page.quiet}>{about}</p>
      </div>
      <div className={page.tableCard}>{children}</div>
    </>
  );
}
