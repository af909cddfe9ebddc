import { ADDRESS_BITS, type Cidr, parseCidr } from "../model/values/cidr.ts";
import { bits, contextTag, element, objectIdentifier, sequence, TAG, text, yes } from "./der.ts";

/** What a certificate says besides whose key it is (RFC 5280, 4.2.1). */
const ID = {
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extKeyUsage: "2.5.29.37",
} as const;
const SERVER_AUTH = "1.3.6.1.5.5.7.3.1";

/** It signs certificates and lists of revoked ones, and serves nothing. */
export function authorityExtensions(): Buffer[] {
  return [
    critical(ID.basicConstraints, sequence(yes())),
    critical(ID.keyUsage, bits(Buffer.from([0b0000_0110]), 1)),
  ];
}

/** It proves a server's identity by its signature. */
export function servingExtensions(hosts: readonly string[]): Buffer[] {
  return [
    critical(ID.basicConstraints, sequence()),
    critical(ID.keyUsage, bits(Buffer.from([0b1000_0000]), 7)),
    extension(ID.extKeyUsage, sequence(objectIdentifier(SERVER_AUTH))),
    extension(ID.subjectAltName, sequence(...hosts.map(generalName))),
  ];
}

/** Which key it is of and which one vouches for it; strict readers, Python 3.13 for one, require both. */
export function keyIdentifiers(own: Buffer, authority: Buffer): Buffer[] {
  return [
    extension(ID.subjectKeyIdentifier, element(TAG.octetString, own)),
    extension(ID.authorityKeyIdentifier, sequence(element(contextTag(0), authority))),
  ];
}

function critical(id: string, value: Buffer): Buffer {
  return sequence(objectIdentifier(id), yes(), element(TAG.octetString, value));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(objectIdentifier(id), element(TAG.octetString, value));
}

const DNS_NAME = contextTag(2);
const IP_ADDRESS = contextTag(7);

function generalName(host: string): Buffer {
  const address = ADDRESSES.map((bits) => parseCidr(`${host}/${bits}`)).find(isWhole);
  return address === undefined ? text(DNS_NAME, host) : element(IP_ADDRESS, bytesOf(address));
}

const ADDRESSES = Object.values(ADDRESS_BITS);

/** Whether the range is one address: `::1/32` is not. */
function isWhole(range: Cidr | undefined): boolean {
  return range !== undefined && range.bits === ADDRESS_BITS[range.family];
}

function bytesOf({ first, bits: length }: Cidr): Buffer {
  return Buffer.from(first.toString(16).padStart(length / 4, "0"), "hex");
}
