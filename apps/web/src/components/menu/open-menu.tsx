"use client";
import { Menu, type MenuProps } from "@mantine/core";
import { cloneElement, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { MenuButton } from "./lazy-menu.tsx";

/**
 * A menu that opens as it comes. Its button takes the place of the one that was pressed, and the focus with it, so that the focus
 * finds its way back when the menu closes.
 */
export function OpenMenu({
  button,
  buttonRef,
  children,
  maxHeight,
  ...menu
}: Pick<MenuProps, "position" | "width" | "shadow"> & {
  readonly button: MenuButton;
  /** For who wants to know the button, as a dialog that gives the focus back to it. */
  readonly buttonRef?: RefObject<HTMLButtonElement | null>;
  /** Pixels, above which it scrolls. */
  readonly maxHeight?: number;
  readonly children: ReactNode;
}) {
  const own = useRef<HTMLButtonElement>(null);
  const ref = buttonRef ?? own;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    ref.current?.focus();
    setOpen(true);
  }, [ref]);
  return (
    <Menu {...menu} opened={isOpen} onChange={setOpen}>
      <Menu.Target>{cloneElement(button, { ref })}</Menu.Target>
      <Menu.Dropdown style={maxHeight === undefined ? {} : { maxHeight, overflowY: "auto" }}>
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}
