"use client";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";

/**
 * Where a link that had the focus goes away with its page, the focus goes to the heading of the page that it led to (WCAG 2.4.3),
 * so that a screen reader says where one is and the next Tab begins there. What a page focuses itself comes first.
 */
export function RouteFocus() {
  const pathname = usePathname();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const main = document.querySelector<HTMLElement>("main");
    const heading = main?.querySelector<HTMLElement>("h1");
    heading?.setAttribute("tabindex", "-1");
    (heading ?? main)?.focus({ preventScroll: true });
  }, [pathname]);
  return null;
}
