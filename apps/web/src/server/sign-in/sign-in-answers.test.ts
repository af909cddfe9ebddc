import { OperationError } from "@cloudwright/store/operations/errors";
import { describe, expect, it, vi } from "vitest";
import { log } from "../log.ts";
import { readForm, refuseSignIn, whyRefused } from "./sign-in-answers.ts";

const TYPE = "application/x-www-form-urlencoded";

function form(body: string, over: Readonly<Record<string, string | undefined>> = {}): Request {
  const all = { "content-type": TYPE, "content-length": String(body.length), ...over };
  const headers = Object.entries(all).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return new Request("http://localhost/sign-in/redeem", { method: "POST", body, headers });
}

describe("the form of the sign-in page", () => {
  it("is read field by field, and a missing field is empty", async () => {
    const fields = await readForm(form("token=a%2Bb&next=%2Fc%2F1"));
    expect(fields?.text("token")).toBe("a+b");
    expect(fields?.text("next")).toBe("/c/1");
    expect(fields?.text("password")).toBe("");
  });

  it.each([
    ["is too long for one of ours", { "content-length": "16385" }],
    ["does not say how long it is", { "content-length": undefined }],
    ["is no form", { "content-type": "application/json" }],
  ])("is none if it %s", async (_, headers) => {
    expect(await readForm(form("token=a", headers))).toBeUndefined();
  });

  it("does not accept a file as text", async () => {
    const body = new FormData();
    body.set("token", new File(["a"], "token.txt"));
    const request = new Request("http://localhost/sign-in", { method: "POST", body });
    const length = { "content-length": "200" };
    const headers = { ...Object.fromEntries(request.headers), ...length };
    const sent = new Request(request, { headers });
    expect((await readForm(sent))?.text("token")).toBe("");
  });
});

describe("a refusal to sign in", () => {
  it("leads back to the page with the reason, and with the destination only if that is known", () => {
    const back = refuseSignIn("password", "/c/1?q=a&b");
    expect(back.status).toBe(303);
    expect(back.headers.get("location")).toBe(
      "/sign-in?refused=password&next=%2Fc%2F1%3Fq%3Da%26b",
    );
    expect(refuseSignIn("link").headers.get("location")).toBe("/sign-in?refused=link");
  });

  it("blames the input only if the ledger refused it; otherwise it blames the server and logs the error", () => {
    const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
    expect(whyRefused(new OperationError("Forbidden", () => "Wrong."), "password")).toBe(
      "password",
    );
    expect(logged).not.toHaveBeenCalled();
    expect(whyRefused(new Error("The database is gone."), "password")).toBe("server");
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });
});
