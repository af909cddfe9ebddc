"use client";
import { useEffect } from "react";

/** A year. */
const KEPT_SECONDS = 31_536_000;

/** Keeps which cluster was looked at last, so that pages of no cluster can keep its frame. The server reads the cookie. */
export function useRememberedCluster(cluster: string): void {
  useEffect(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the server reads it; the Cookie Store API is missing over plain HTTP.
    document.cookie = `cloudwright.cluster=${encodeURIComponent(cluster)}; path=/; max-age=${KEPT_SECONDS}; samesite=lax`;
  }, [cluster]);
}
