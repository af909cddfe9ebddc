"use client";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";

/**
 * Where a link that had the focus goes away with its page, the focus goes to the heading of the page that it led to (WCAG 2.4.3),
 * so that a screen reader says where one is and the next Tab begins there. What a page, or a person, focuses first stays.
 */
export function RouteFocus() {
  const pathname = usePathname();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    return focusHeading(document.querySelector("main"));
  }, [pathname]);
  return null;
}

/** The heading of a page may come with its data. Answers what gives up waiting for it. */
function focusHeading(main: HTMLElement | null): () => void {
  const isLost = () => document.activeElement === null || document.activeElement === document.body;
  const look = (): boolean => {
    if (!isLost()) return true;
    const heading = main?.querySelector<HTMLElement>("h1");
    if (heading === null || heading === undefined) return false;
    heading.setAttribute("tabindex", "-1");
    heading.focus({ preventScroll: true });
    return true;
  };
  const changes = new MutationObserver(() => {
    if (look()) changes.disconnect();
  });
  if (main !== null && !look()) changes.observe(main, { childList: true, subtree: true });
  return () => changes.disconnect();
}
