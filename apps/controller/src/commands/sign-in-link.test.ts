import { expect, it } from "vitest";
import { runOtherCommand } from "./program.ts";

const COMMAND = ["sign-in-link", "--database-url", "postgresql://u@127.0.0.1:1/x"];

it.each([
  [["--base-url", "dashboard.example"], /^--base-url is "dashboard.example": give the dashboard's/],
  [["--base-url", "http://d/x?y"], /^--base-url is "http:\/\/d\/x\?y": give the dashboard's/],
  [["--base-url", "http://a@d"], /^--base-url is "http:\/\/a@d": give the dashboard's/],
  [["--base-url", "http://a b"], /^--base-url is "http:\/\/a b": give the dashboard's/],
  [["--lifetime", "0s"], /^--lifetime must be more than 0s\.$/],
  [["--email", "nope"], /^"nope" is not an e-mail address: write it like ana@example\.org\.$/],
  [["--lifetime=-5m"], /^--lifetime must be more than 0s\.$/],
])("a sign-in link with %j is refused before any account is made", async (args, sentence) => {
  await expect(runOtherCommand([...COMMAND, ...args])).rejects.toThrow(sentence);
});
