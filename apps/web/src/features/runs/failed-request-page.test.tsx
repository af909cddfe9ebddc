// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { FailedRequestPage } from "./failed-request-page.tsx";

const ERROR = {
  message: "The dashboard cannot reach its database.",
  data: { code: "SERVICE_UNAVAILABLE", requestId: "3f2a9c1e" },
};

test("a request that could not be looked up keeps its heading, says why, and links to the runs", () => {
  renderPage(<FailedRequestPage id="req-0000" error={ERROR} />, {
    address: "/c/c-1/requests/req-0000",
  });
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Request req-0000");
  const alert = screen.getByRole("alert").textContent;
  expect(alert).toContain("The dashboard cannot reach its database.");
  expect(alert).toContain("request 3f2a9c1e");
  expect(screen.getByRole("button", { name: "Try again" })).toBeDefined();
  expect(screen.getByText(/^The dashboard could not look up which run made this/)).toBeDefined();
  expect(screen.getByRole("link", { name: "the list of runs" }).getAttribute("href")).toBe(
    "/c/c-1/runs?q=request%3Areq-0000&from=all",
  );
});
