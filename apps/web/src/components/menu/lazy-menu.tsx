"use client";
import {
  type ComponentProps,
  type ComponentType,
  cloneElement,
  type ReactElement,
  useState,
} from "react";
import type { Button } from "../button/button.tsx";
import { expectPart, useFetched } from "../use-fetched.ts";

/** What opens a menu, before and after the menu has been fetched. */
export type MenuButton = ReactElement<ComponentProps<typeof Button>>;

interface LazyMenuProps<Props extends object> {
  readonly button: MenuButton;
  /** Fetches the menu; it is asked for as soon as a hand or the focus comes to the button. */
  readonly load: () => Promise<ComponentType<Props & { readonly button: MenuButton }>>;
  readonly menu: Props;
  /** What it opens, for those who hear the page; a menu unless given. */
  readonly popup?: "menu" | "dialog";
}

/** A button whose menu is fetched when it is meant: most pages are left without one. It opens at once when it has come. */
export function LazyMenu<Props extends object>({
  button,
  load,
  menu,
  popup = "menu",
}: LazyMenuProps<Props>) {
  const [clicks, setClicks] = useState(0);
  const Opened = useFetched(load, clicks === 0 ? undefined : clicks);
  if (Opened !== undefined) return <Opened {...menu} button={button} />;
  const expect = () => expectPart(load);
  return cloneElement(button, {
    "aria-haspopup": popup,
    "aria-expanded": false,
    onPointerEnter: expect,
    onFocus: expect,
    onClick: () => setClicks(clicks + 1),
  });
}
