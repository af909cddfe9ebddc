import { BlockList, isIP } from "node:net";

/** Parses addresses and ranges such as `10.0.0.0/8`, separated by commas. Throws an Error that names any other entry. */
export function parseProxies(text: string): BlockList {
  const list = new BlockList();
  for (const entry of text.split(",").map((each) => each.trim())) {
    if (entry !== "") addRange(list, entry);
  }
  return list;
}

function addRange(list: BlockList, entry: string): void {
  const [address = "", bits] = entry.split("/");
  const family = familyOf(address);
  const most = family === "ipv4" ? 32 : 128;
  const prefix = bits === undefined ? most : Number(bits);
  if (family === undefined || !Number.isInteger(prefix) || prefix < 0 || prefix > most) {
    throw new Error(`${entry} is neither an address nor a range such as 10.0.0.0/8.`);
  }
  list.addSubnet(address, prefix, family);
}

export function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? "ipv4" : "ipv6";
}
