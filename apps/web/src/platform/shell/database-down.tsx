"use client";
import { t } from "@cloudwright/core/model/language/text";
import { useEffect } from "react";
import { Button } from "../../components/button/button.tsx";
import { LonePage } from "../../components/page/lone-page.tsx";
import { useServerProbe } from "../live/use-server-probe.ts";

/** Without the database nobody can be recognised, so nothing can be shown; the page loads by itself when the database is back. */
export function DatabaseDown() {
  const { database } = useServerProbe();
  useEffect(() => {
    if (database.newest === "answered") window.location.reload();
  }, [database.newest]);
  return (
    <LonePage title={t`The dashboard cannot reach its database`}>
      <p role="alert">
        {t`Nobody can sign in and nothing can be shown until it is back. The dashboard cannot tell
          whether the controllers work; they do not need this database to reconcile.`}
      </p>
      <p>
        {t`Check that PostgreSQL is running and reachable, and that the dashboard's DATABASE_URL
          is right. This page opens by itself once it is.`}
      </p>
      <div>
        <Button appearance="primary" onClick={() => window.location.reload()}>
          {t`Try again`}
        </Button>
      </div>
    </LonePage>
  );
}
