/**
 * Items of the history that Burp Suite saved ("Save items") → its requests and responses as a HAR. The heads and bodies are
 * there as they were sent or as Burp unpacked them.
 *
 *   <items burpVersion="2023.9.2" exportTime="…">
 *     <item>
 *       <time>Sun Aug 20 17:51:44 UTC 2023</time>
 *       <url><![CDATA[https://host/path]]></url>
 *       <request base64="true"><![CDATA[UE9TVCAv…]]></request>        false: the bytes themselves
 *       <response base64="true"><![CDATA[SFRUUC8x…]]></response>
 */
import { latin1 } from '../../bytes/latin1.ts';
import { entryOf, harOf, type Known, type Side } from './recorded-har.ts';
import type { DecodedText, Judgement, TextEncoding } from './text-encoding.ts';
import { TEXT_LABELS } from './text-labels.ts';

export const burpItems: TextEncoding = { id: 'burp', label: TEXT_LABELS.burp, sniff, read };

const ROOT =
  /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!DOCTYPE items\b[^[]*\[[^\]]*\]>\s*)?<items\s+burpVersion=/;
/** A CDATA section is split where the text has its end. */
const ELEMENT =
  /<(item|time|url|request|response)\b([^>]*)>(?:<!\[CDATA\[((?:(?!\]\]>)[\s\S]|\]\]>(?=<!\[CDATA\[))*)\]\]>|([^<]*))/g;
const SPLIT = /\]\]><!\[CDATA\[/g;
/** Zones that a date's text names and that are known everywhere. */
const KNOWN_ZONE = / (?:UTC|GMT|[ECMP][SD]T) /;

function sniff(head: Uint8Array): Judgement {
  return ROOT.test(latin1(head))
    ? { score: 0.995, reason: 'items that Burp Suite saved' }
    : { score: 0, reason: 'no items of Burp Suite' };
}

interface Item {
  time: string;
  url: string;
  request: Side;
  response: Side;
}

function read(input: Uint8Array): DecodedText {
  const items: Item[] = [];
  for (const [, name, attributes, section, plain] of latin1(input).matchAll(ELEMENT)) {
    if (name === 'item') items.push({ time: '', url: '', request: sideOf(''), response: sideOf('') });
    const item = items.at(-1);
    if (item === undefined) continue;
    const text = section?.replaceAll(SPLIT, '') ?? plain ?? '';
    if (name === 'time' || name === 'url') item[name] = text;
    else if (name === 'request' || name === 'response') {
      item[name] = sideOf(/\bbase64="true"/.test(attributes ?? '') ? (fromBase64(text) ?? '') : text);
    }
  }
  const entries = items.map(({ request, response, url, time }) => entryOf(request, response, knownOf(url, time)));
  return { bytes: harOf(entries), diagnostics: [] };
}

/** A time in another zone is left out: its offset is unknown. */
function knownOf(url: string, time: string): Known {
  const at = KNOWN_ZONE.test(time) ? Date.parse(time) : Number.NaN;
  return {
    ...(url === '' ? {} : { url }),
    ...(Number.isNaN(at) ? {} : { startedDateTime: new Date(at).toISOString() }),
  };
}

function fromBase64(text: string): string | null {
  try {
    return atob(text);
  } catch {
    return null;
  }
}

/** @param message bytes, one to a character */
function sideOf(message: string): Side {
  const end = /\r?\n\r?\n/.exec(message);
  const at = end === null ? message.length : end.index + end[0].length;
  const body = Uint8Array.from(message.slice(at), (byte) => byte.charCodeAt(0));
  return { head: message.slice(0, at), body: [body], missing: 0 };
}
