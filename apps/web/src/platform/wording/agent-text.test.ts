import { expect, it } from "vitest";
import { agentText } from "./agent-text.ts";

it.each([
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
    "Chrome on Linux",
  ],
  ["Mozilla/5.0 (Windows NT 10.0; Win64) Gecko/20100101 Firefox/128.0", "Firefox on Windows"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1 Version/17 Safari/605.1",
    "Safari on macOS",
  ],
  ["curl/8.5.0", "curl"],
  ["", "unknown client"],
])("%s is %s", (agent, text) => {
  expect(agentText(agent)).toBe(text);
});
