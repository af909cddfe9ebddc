import { Agent, request } from "undici";

const agent = new Agent({ connect: { rejectUnauthorized: false } });

/** What a scraper reads from the controller's HTTPS port; its certificate is self-signed. */
export async function metrics(port: number): Promise<string> {
  const answer = await request(`https://127.0.0.1:${port}/metrics`, { dispatcher: agent });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`/metrics answered ${answer.statusCode}: ${text}`);
  return text;
}
