"use client";
import { Button } from "../../components/button.tsx";
import { LonePage } from "../../components/lone-page.tsx";

/** Without the database nobody can be recognised, so nothing can be shown; the controller works on without it. */
export function DatabaseDown() {
  return (
    <LonePage title="The dashboard cannot reach its database">
      <p role="alert">
        Nobody can be signed in and nothing can be shown until it is back. The controllers do not
        need it: they go on reconciling, and hand in what they did afterwards.
      </p>
      <p>Check that PostgreSQL runs and that DATABASE_URL of the dashboard is right.</p>
      <div>
        <Button look="primary" onClick={() => window.location.reload()}>
          Try again
        </Button>
      </div>
    </LonePage>
  );
}
