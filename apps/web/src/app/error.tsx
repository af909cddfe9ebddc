"use client";
import { useEffect } from "react";
import { ErrorState } from "../components/panel-states.tsx";

export default function PageError({
  error,
  reset,
}: {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}) {
  useEffect(() => {
    // The browser's console is where a person who reports this looks.
    reportError(error);
  }, [error]);
  const told = {
    message: "This page failed to show what it got.",
    data: { code: "PAGE_FAILED", requestId: error.digest },
  };
  return (
    <main>
      <ErrorState error={told} retry={reset} />
    </main>
  );
}
