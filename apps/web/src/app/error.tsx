"use client";
import { t } from "@cloudwright/core/model/language/text";
import { useEffect } from "react";
import { Button } from "../components/button/button.tsx";
import { LonePage } from "../components/page/lone-page.tsx";

export default function PageError({
  error,
  reset,
}: {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}) {
  useEffect(() => {
    // A user who reports this looks in the browser's console.
    reportError(error);
  }, [error]);
  return (
    <LonePage title={t`This page could not be shown`}>
      <p role="alert">
        {error.digest === undefined
          ? t`The cluster is not affected by this. The dashboard's log has the details; try again in a moment.`
          : t`The cluster is not affected by this. The dashboard's log has the details under ${error.digest}; try again in a moment.`}
      </p>
      <div>
        <Button appearance="primary" onClick={reset}>
          {t`Try again`}
        </Button>
      </div>
    </LonePage>
  );
}
