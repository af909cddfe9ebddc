"use client";
import { Menu, type MenuProps } from "@mantine/core";
import { cloneElement, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { MenuButton } from "./lazy-menu.tsx";

/**
 * A menu that is open from its first render. Its button replaces the one that was pressed and takes over its focus, so that the focus
 * returns there when the menu closes.
 */
export function OpenMenu({
  button,
  buttonRef,
  children,
  maxHeight,
  ...menu
}: Pick<MenuProps, "position" | "width" | "shadow" | "onOpen"> & {
  readonly button: MenuButton;
  /** For callers that need the button, such as a dialog that returns the focus to it. */
  readonly buttonRef?: RefObject<HTMLButtonElement | null>;
  /** In pixels; a taller menu scrolls. */
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
