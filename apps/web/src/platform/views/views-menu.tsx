"use client";
import { SAVED_PAGES, type SavedPage } from "@cloudwright/store/views/saved-views";
import { usePathname } from "next/navigation";
import { Button, Caret } from "../../components/button/button.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { LazyMenu } from "../../components/menu/lazy-menu.tsx";
import type { TableOf } from "./table-of.ts";

const loadItems = () => import("./views-items.tsx").then(({ ViewsItems }) => ViewsItems);

/** The lists and charts that were saved under a name, and the command that saves this one. */
export function ViewsMenu({ of }: { readonly of?: TableOf | undefined }) {
  const page = pageOf(usePathname());
  if (page === undefined) return null;
  const button = <Button>{mixed`Views${<Caret />}`}</Button>;
  return <LazyMenu button={button} load={loadItems} menu={{ page, of }} />;
}

function pageOf(pathname: string): SavedPage | undefined {
  const [, name] = /^\/c\/[^/]+\/([^/]+)\/?$/.exec(pathname) ?? [];
  return SAVED_PAGES.find((page) => page === name);
}
