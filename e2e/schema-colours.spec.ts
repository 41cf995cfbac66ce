/** As someone who reads .proto text of any syntax I distinguish keywords, types, options and texts by their colours. */
import type { Page } from '@playwright/test';
import { expect, test } from './page.ts';

const TEXTS: Readonly<Record<string, string>> = {
  'two.proto': String.raw`syntax = "proto2"; // Two.
package a.message;
import public "b.proto";
import weak "c.proto";
option (mine).deep.flag = { to: 1 [x.y/z.T] { max: inf // no
  list: ["a\n\x7f", 'b'] } };
message M {
  required string message = 1 [default = "say \"it\"", (my.opt).a = A_B];
  repeated group Result = 2 { optional .a.M package = 1; }
  extensions 100 to 199, 500 to max [declaration = { number: 100 reserved: true }];
  reserved "to", 'max';
  optional float option = 3 [default = -1.5e-3];
}
extend M { optional int32 reserved = 101; }`,
  'three.proto': `syntax = 'proto3';
/* import "x"; */ import "d.proto";
message Bytes {
  map<string, Bytes> map = 1 [deprecated = true];
  reserved 2, 0x3 to 5;
  oneof oneof { bytes stream = 6; uint64 returns = 7; }
  enum Kind { option allow_alias = true; message = 0; syntax = -1; }
  string.Inner to = 8;
}
service S { rpc rpc (stream Bytes) returns (a.b) { option deprecated = false; } }`,
  'edition23.proto': `edition = "2023";
option features.field_presence = IMPLICIT;
message A {
  reserved to, max, foo;
  int32 extend = 1 [features = { utf8_validation: NONE }];
}`,
  'edition24.proto': `edition = "2024";
import option "opts.proto";
export message A { local enum E { local = 0; }
  A export = 1; sint64
    wide = 2; }
local message import { }`,
};

/** Each word that has a colour of its own stands behind the first letter of what it is. */
const COLOURED: Readonly<Record<string, string>> = {
  'two.proto': String.raw`k:syntax = s:"proto2" ; c:// Two.
k:package a.message ;
k:import k:public s:"b.proto" ;
k:import k:weak s:"c.proto" ;
k:option ( o:mine ) o:.deep.flag = { o:to : n:1 o:[x.y/z.T] { o:max : k:inf c:// no
o:list : [ s:"a n:\n\x7f s:" , s:'b' ] } };
k:message t:M {
k:required k:string message = n:1 [ o:default = s:"say n:\" s:it n:\" s:" , ( o:my.opt ) o:.a = A_B ];
k:repeated k:group t:Result = n:2 { k:optional t:.a.M package = n:1 ; }
k:extensions n:100 k:to n:199 , n:500 k:to k:max [ o:declaration = { o:number : n:100 o:reserved : k:true }];
k:reserved s:"to" , s:'max' ;
k:optional k:float option = n:3 [ o:default = - n:1.5e-3 ];
}
k:extend t:M { k:optional k:int32 reserved = n:101 ; }`,
  'three.proto': `k:syntax = s:'proto3' ;
c:/* import "x"; */ k:import s:"d.proto" ;
k:message t:Bytes {
k:map < k:string , t:Bytes > map = n:1 [ o:deprecated = k:true ];
k:reserved n:2 , n:0x3 k:to n:5 ;
k:oneof oneof { k:bytes stream = n:6 ; k:uint64 returns = n:7 ; }
k:enum t:Kind { k:option o:allow_alias = k:true ; message = n:0 ; syntax = - n:1 ; }
t:string.Inner to = n:8 ;
}
k:service t:S { k:rpc rpc ( k:stream t:Bytes ) k:returns ( t:a.b ) { k:option o:deprecated = k:false ; } }`,
  'edition23.proto': `k:edition = s:"2023" ;
k:option o:features.field_presence = IMPLICIT ;
k:message t:A {
k:reserved to , max , foo ;
k:int32 extend = n:1 [ o:features = { o:utf8_validation : NONE }];
}`,
  'edition24.proto': `k:edition = s:"2024" ;
k:import k:option s:"opts.proto" ;
k:export k:message t:A { k:local k:enum t:E { local = n:0 ; }
t:A export = n:1 ; k:sint64
wide = n:2 ; }
k:local k:message t:import { }`,
};

/** Colours of the light theme. */
const KINDS: Readonly<Record<string, string>> = {
  '#59616b italic': 'comment',
  '#59616b normal': 'option',
  '#0f56c4 normal': 'keyword',
  '#06563d normal': 'type',
  '#a84c0e normal': 'string',
  '#63238a normal': 'number',
};

interface Word {
  readonly text: string;
  readonly colour: string;
  readonly style: string;
  /** WCAG's ratio of the colours of the letters and of what is behind them. */
  readonly contrast: number;
}

/** The lines of the editor, from top to bottom. */
const readLines = (page: Page): Promise<readonly (readonly Word[])[]> =>
  page.evaluate(() => {
    const parts = (colour: string): number[] => (colour.match(/\d+/g) ?? []).slice(0, 3).map(Number);
    const hex = (colour: string): string =>
      `#${parts(colour)
        .map((part) => part.toString(16).padStart(2, '0'))
        .join('')}`;
    const luminance = (colour: string): number => {
      const [r = 0, g = 0, b = 0] = parts(colour).map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = document.querySelector('.monaco-editor-background');
    if (behind === null) return [];
    const ground = luminance(getComputedStyle(behind).backgroundColor);
    return [...document.querySelectorAll<HTMLElement>('.monaco-editor .view-line')]
      .sort((a, b) => a.offsetTop - b.offsetTop)
      .map((line) =>
        [...line.querySelectorAll('span > span')].flatMap((span) => {
          const text = (span.textContent ?? '').replaceAll('\u00a0', ' ').trim();
          const { color, fontStyle } = getComputedStyle(span);
          const [dark, bright] = [luminance(color), ground].sort((a, b) => a - b) as [number, number];
          const contrast = (bright + 0.05) / (dark + 0.05);
          return text === '' ? [] : [{ text, colour: hex(color), style: fontStyle, contrast }];
        }),
      );
  });

const print = (lines: readonly (readonly Word[])[]): string =>
  lines
    .map((words) =>
      words
        .map(({ text, colour, style }) => {
          const kind = KINDS[`${colour} ${style}`];
          return kind === undefined ? text : `${kind[0]}:${text}`;
        })
        .join(' '),
    )
    .join('\n');

test.beforeEach(async ({ page }) => {
  await page.goto('#/schema');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const files = Object.entries(TEXTS).map(([name, text]) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(text),
  }));
  await page.getByLabel('Schema files to add', { exact: true }).setInputFiles(files);
  await expect(page.getByRole('button', { name: `Schema ${files.length} files` })).toBeVisible();
});

for (const path of Object.keys(TEXTS)) {
  test(`${path}: every word has the color of its role`, async ({ page }) => {
    await page.goto(`#/edit/${path}`);
    await expect.poll(async () => print(await readLines(page))).toBe(COLOURED[path]);
    const [[first]] = (await readLines(page)) as [[Word]];
    const faint = async () => (await readLines(page)).flat().filter(({ contrast }) => contrast < 4.5);
    expect(await faint()).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(async () => (await readLines(page))[0]?.[0]?.colour).not.toBe(first.colour);
    expect(await faint()).toEqual([]);
  });
}
