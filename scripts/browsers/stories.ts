/** The main stories for other browsers than Chromium: a person's steps, and what they must see. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Tab } from './tab.ts';

interface Stage {
  readonly tab: Tab;
  /** `http://127.0.0.1:PORT/` */
  readonly address: string;
  /** A tab that shares nothing with the first one but the server. */
  readonly stranger: () => Promise<Tab>;
  /** From now on nothing answers. */
  readonly cutOff: () => Promise<void>;
}

export interface Story {
  readonly name: string;
  readonly tell: (stage: Stage) => Promise<void>;
}

const pathOf = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const PAYLOADS = ['public/samples/prometheus-remote-write-1.binpb', 'public/samples/prometheus-remote-write-2.binpb'];
const CAPTURE = 'public/samples/opensearch-search.pcap';

/** The first visible element of a kind whose text matches; any white space counts as one blank. Runs in the page. */
const withText = (where: string, source: string, flags: string): Element | undefined =>
  [...document.querySelectorAll(where)].find(
    (one) =>
      one.checkVisibility() && new RegExp(source, flags).test((one.textContent ?? '').replace(/\s+/g, ' ').trim()),
  );
/** The text of it. Runs in the page. */
const textOf = (where: string, source: string, flags: string): string | undefined =>
  [...document.querySelectorAll(where)]
    .map((one) => (one.textContent ?? '').replace(/\s+/g, ' ').trim())
    .find((text) => new RegExp(source, flags).test(text));
const any = (where: string): boolean => document.querySelector(where) !== null;

const TABLE = '[role=treegrid][aria-label="Cost by field"]';
const ROW = `${TABLE} [role=row]`;
const SELECTED = `${ROW}[aria-selected=true]`;
const BUTTON = 'button';

const click = (tab: Tab, where: string, { source, flags }: RegExp): Promise<void> =>
  tab.click(withText, where, source, flags);
const see = async (tab: Tab, where: string, { source, flags }: RegExp): Promise<string> =>
  (await tab.seen(textOf, where, source, flags))!;
const row = (tab: Tab, pattern: RegExp): Promise<string> => see(tab, ROW, pattern);
const headline = (tab: Tab, pattern: RegExp): Promise<string> => see(tab, 'h1', pattern);
const choose = (tab: Tab, ...files: readonly string[]): Promise<void> => tab.choose(files.map(pathOf));

async function openSample(tab: Tab): Promise<void> {
  await click(tab, BUTTON, /ten search hits/i);
  await headline(tab, /Protobuf 9,191 bytes, native 9,125/);
}

async function paste(tab: Tab, text: string): Promise<void> {
  await tab.click(() => document.querySelector('textarea'));
  await tab.seen((value) => document.execCommand('insertText', false, value), text);
  await click(tab, BUTTON, /^Read text$/);
}

/** Changes of the view that follow each other at once are one step of the history. */
const settle = (): Promise<void> => pause(800);

export const STORIES: readonly Story[] = [
  {
    name: 'from the home page to the verdict of a sample, and to the bytes of a field',
    async tell({ tab }) {
      await openSample(tab);
      await click(tab, ROW, /^version/);
      await tab.seen(() => document.querySelectorAll('[aria-label="Protobuf bytes"] .hex-byte.is-in').length === 11);
    },
  },
  {
    name: 'a capture opens on the fields of its largest type',
    async tell({ tab }) {
      await choose(tab, CAPTURE);
      await row(tab, /hits/);
      await click(tab, '[aria-label="Messages"] [role=option]', /./);
      await tab.seen(any, '[aria-label^="Message "]');
    },
  },
  {
    name: 'a dropped file is read',
    async tell({ tab }) {
      await see(tab, 'h1', /What every field/);
      await tab.seen(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([Uint8Array.of(0x0a, 3, 0x66, 0x6f, 0x6f, 0x10, 0x96, 1)], 'dropped.binpb'));
        for (const type of ['dragenter', 'dragover', 'drop']) {
          document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
        }
        return true;
      });
      await row(tab, /\?2/);
    },
  },
  {
    name: 'pasted hex is read as what it is',
    async tell({ tab }) {
      await paste(tab, '0a 03 66 6f 6f 10 96 01');
      await row(tab, /\?1/);
      await row(tab, /\?2/);
    },
  },
  {
    name: 'a pasted schema names the fields of a file of mine, and a reload returns to both',
    async tell({ tab }) {
      await paste(tab, readFileSync(pathOf('schemas/prometheus/remote-write-1.proto'), 'utf8'));
      await see(tab, BUTTON, /^Schema ?1 file/);
      await choose(tab, PAYLOADS[0]!);
      await row(tab, /timeseries/);
      await settle();
      await tab.reload();
      await row(tab, /timeseries/);
    },
  },
  {
    name: 'a copied link opens for a stranger with the same verdict',
    async tell({ tab, stranger }) {
      await openSample(tab);
      const verdict = await headline(tab, /./);
      // Firefox lets no script read the clipboard: what is written there is heard on its way.
      await tab.seen(() => {
        navigator.clipboard.writeText = async (text) => {
          document.body.dataset['copied'] = text;
        };
        return true;
      });
      await click(tab, BUTTON, /^Share/);
      await click(tab, 'dialog button', /^Copy link/);
      const copied = await tab.seen(() => document.body.dataset['copied']);
      const other = await stranger();
      await other.goto(copied!);
      await headline(other, new RegExp(verdict.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
    },
  },
  {
    name: 'Back and Forward walk the fields that were looked at',
    async tell({ tab }) {
      await openSample(tab);
      await settle();
      await click(tab, ROW, /^seq_no/);
      await settle();
      await click(tab, ROW, /^version/);
      await settle();
      await tab.back();
      await see(tab, SELECTED, /seq_no/);
      await tab.forward();
      await see(tab, SELECTED, /version/);
    },
  },
  {
    name: 'two files are A and B',
    async tell({ tab }) {
      await choose(tab, ...PAYLOADS);
      await headline(tab, /B takes 11,749 bytes, A 71,690/);
    },
  },
  {
    name: 'the page of a message in the explorer, by its address',
    async tell({ tab, address }) {
      await openSample(tab);
      await tab.goto(`${address}#/type/org.opensearch.proto.search.SearchHitsProto`);
      await see(tab, 'main, [role=main]', /SearchHitsProto[\s\S]*hits/);
    },
  },
  {
    name: 'every encoding before and after every compressor',
    async tell({ tab }) {
      await openSample(tab);
      await click(tab, BUTTON, /^Encodings/);
      await see(tab, '[role=row], tr', /MessagePack by name.*\d/);
      await see(tab, '[role=row], tr', /JSON.*\d/);
    },
  },
  {
    name: 'changes of the schema, each measured',
    async tell({ tab }) {
      await openSample(tab);
      await click(tab, BUTTON, /^What should change/);
      await see(tab, 'tr, [role=row]', /seq_no of SearchHitProto sint.*−\d/);
    },
  },
  {
    name: 'by keyboard alone: to a field, and out again',
    async tell({ tab }) {
      await openSample(tab);
      await click(tab, ROW, /^seq_no/);
      await tab.press('ArrowDown');
      await tab.press('Enter');
      await see(tab, SELECTED, /^primary_term/);
      await tab.press('Escape');
    },
  },
  {
    name: 'a click beside a dialog closes it',
    async tell({ tab }) {
      await openSample(tab);
      await click(tab, BUTTON, /^Share/);
      await tab.seen(any, 'dialog[open]');
      await tab.clickAt(20, 500);
      await tab.seen(() => document.querySelector('dialog') === null);
    },
  },
  {
    name: 'without a network the app opens, and reads a file',
    async tell({ tab, cutOff }) {
      await tab.seen(() => navigator.serviceWorker.controller !== null);
      // It keeps the whole build before it is ready.
      await tab.seen(() => {
        void navigator.serviceWorker.ready.then(() => (document.body.dataset['ready'] = 'yes'));
        return document.body.dataset['ready'];
      });
      await cutOff();
      await tab.reload();
      await choose(tab, PAYLOADS[1]!);
      await headline(tab, /symbols|bytes/);
    },
  },
];
