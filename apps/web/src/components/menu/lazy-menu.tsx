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

/** The button that opens a menu, before and after the menu has been fetched. */
export type MenuButton = ReactElement<ComponentProps<typeof Button>>;

interface LazyMenuProps<Props extends object> {
  readonly button: MenuButton;
  /** Fetches the menu; called as soon as the pointer or the focus reaches the button. */
  readonly load: () => Promise<ComponentType<Props & { readonly button: MenuButton }>>;
  readonly menu: Props;
  /** What the button opens, for screen readers; a menu by default. */
  readonly popup?: "menu" | "dialog";
}

/**
 * A button whose menu is fetched on first interest, as most pages are left without anyone opening it. A menu that was asked for opens as
 * soon as it arrives.
 */
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
