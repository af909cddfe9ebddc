// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";

const FIRST = "/messages/fr?chunks=shell,nodes&v=1";

/** The scripts of messages that the page has asked for, besides the first one. */
let asked: HTMLScriptElement[] = [];

beforeEach(() => {
  vi.resetModules();
  document.head.replaceChildren();
  asked = [];
  const { append } = document.head;
  vi.spyOn(document.head, "append").mockImplementation((...given) => {
    for (const each of given) {
      if (each instanceof HTMLScriptElement && each.src.includes("/messages/")) asked.push(each);
      // As a script that has run already: no server is there to send it.
      else append.call(document.head, each);
    }
  });
});

function addScript(src: string): void {
  const script = document.createElement("script");
  script.setAttribute("type", "text/plain");
  script.setAttribute("src", src);
  document.head.appendChild(script);
}

function page({ messages = FIRST }: { readonly messages?: string } = {}) {
  addScript(messages);
  addScript("/_next/static/chunks/shell.js");
  addScript("/_next/static/chunks/nodes.js?dpl=1");
  return import("./fetched-messages.ts");
}

function addresses(): readonly string[] {
  return asked.map(({ src }) => {
    const { pathname, search } = new URL(src);
    return `${pathname}${search}`;
  });
}

function answer(): void {
  for (const script of asked.splice(0)) script.onload?.(new Event("load"));
}

function fail(): void {
  for (const script of asked.splice(0)) script.onerror?.("");
}

async function dialog(): Promise<string> {
  addScript("/_next/static/chunks/dialog.js");
  return "dialog";
}

describe("what is opened", () => {
  it("is there once the messages of its scripts are, and of no others", async () => {
    const { withMessages } = await page();
    const shown = vi.fn();
    const coming = withMessages(dialog).then(shown);
    await vi.waitFor(() => expect(addresses()).toEqual(["/messages/fr?chunks=dialog&v=1"]));
    expect(shown).not.toHaveBeenCalled();
    answer();
    await coming;
    expect(shown).toHaveBeenCalledWith("dialog");
  });

  it("asks for them once, however often it is opened", async () => {
    const { withMessages } = await page();
    const both = Promise.all([withMessages(dialog), withMessages(dialog)]);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    answer();
    await both;
    await withMessages(dialog);
    expect(asked).toEqual([]);
  });

  it("asks again if they could not be fetched", async () => {
    const { withMessages } = await page();
    const first = withMessages(dialog);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    fail();
    await expect(first).rejects.toThrow("could not be fetched");
    const second = withMessages(dialog);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    answer();
    expect(await second).toBe("dialog");
  });

  it.each([
    ["in English", "/favicon.js"],
    ["where all messages came first", "/messages/fr?v=1"],
  ])("waits for nothing %s", async (_, messages) => {
    const { withMessages, messagesFor } = await page({ messages });
    expect(await withMessages(dialog)).toBe("dialog");
    expect(messagesFor("/c/a/routes")).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe("another page", () => {
  it("waits for the messages of all, and nothing after it waits any more", async () => {
    const { withMessages, messagesFor, expectMessages } = await page();
    expectMessages();
    const coming = messagesFor("/c/a/routes");
    expect(messagesFor("/c/a/routes")).toBe(coming);
    expect(addresses()).toEqual(["/messages/fr?v=1"]);
    answer();
    await coming;
    expect(messagesFor("/c/a/routes")).toBeUndefined();
    expect(await withMessages(dialog)).toBe("dialog");
    expect(asked).toEqual([]);
  });

  it("is drawn in English if they cannot be fetched, and the next one tries again", async () => {
    const { messagesFor } = await page();
    const coming = messagesFor("/c/a/routes");
    fail();
    await coming;
    expect(messagesFor("/c/a/routes")).toBe(coming);
    expect(asked).toEqual([]);
    messagesFor("/c/a/runs");
    expect(addresses()).toEqual(["/messages/fr?v=1"]);
  });
});
