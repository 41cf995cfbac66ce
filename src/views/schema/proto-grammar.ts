/**
 * The colours of .proto text (proto2, proto3 and the editions up to 2024) as a Monarch grammar. Only its position makes
 * a word a keyword: `message`, `reserved` and `to` may also be names of fields.
 * https://protobuf.dev/reference/protobuf/edition-2024-spec/, https://protobuf.dev/reference/protobuf/textformat-spec/
 *
 *   file ─┬ option name ─ value ─ aggregate      body ─┬ option, message, enum, …: as in a file
 *         ├ message, enum, service, extend ─ body      ├ field: type ─ name ─ tail ─ option list ─ value
 *         └ import, package                            └ ranges, rpc, oneof, group
 */
import type { languages } from 'monaco-editor/editor/editor.api.js';

const NAME = '[a-zA-Z_]\\w*';
const TYPE = `\\.?${NAME}(?:\\.${NAME})*`;
const word = (...words: readonly string[]): RegExp => new RegExp(`(?:${words.join('|')})\\b`);

/** Matches the word only as the start of a statement, not as a value or field of that name. */
const begins = (...words: readonly string[]): RegExp => new RegExp(`(?:${words.join('|')})\\b(?!\\s*=)`);

export const PROTO_GRAMMAR: languages.IMonarchLanguage = {
  defaultToken: '',
  tokenPostfix: '.proto',
  brackets: [
    { open: '{', close: '}', token: 'delimiter.curly' },
    { open: '[', close: ']', token: 'delimiter.square' },
    { open: '(', close: ')', token: 'delimiter.parenthesis' },
    { open: '<', close: '>', token: 'delimiter.angle' },
  ],
  start: 'file',
  tokenizer: {
    file: [
      { include: 'blank' },
      [/(?:syntax|edition)\b(?=\s*(?:=|$|\/))/, 'keyword', 'value'],
      [word('import'), 'keyword', 'import'],
      [word('package'), 'keyword', 'package'],
      { include: 'statement' },
    ],
    body: [{ include: 'blank' }, [/}/, '@brackets', '@pop'], { include: 'statement' }],
    statement: [
      [begins('option'), 'keyword', 'optionName'],
      [/(?:export|local)\b(?=\s+(?:message|enum)\b|\s*$)/, 'keyword'],
      [begins('message', 'enum', 'service', 'extend'), 'keyword', 'declaredType'],
      [begins('oneof'), 'keyword', 'declaredName'],
      [begins('rpc'), 'keyword', 'rpc'],
      [begins('reserved', 'extensions'), 'keyword', 'ranges'],
      [begins('repeated', 'optional', 'required'), 'keyword', 'field'],
      [/{/, '@brackets', 'body'],
      [new RegExp(`${NAME}(?=\\s*=)`), 'identifier', 'tail'],
      [/(?=[\w.])/, '', 'field'],
      [/;/, 'delimiter'],
    ],
    import: [[word('public', 'weak', 'option'), 'keyword'], { include: 'text' }, { include: 'end' }],
    package: [[new RegExp(TYPE), 'identifier'], { include: 'end' }],
    declaredType: [[new RegExp(TYPE), 'type.identifier', '@pop'], { include: 'end' }],
    declaredName: [[new RegExp(NAME), 'identifier', '@pop'], { include: 'end' }],
    rpc: [
      [word('returns'), 'keyword'],
      [/stream\b(?=\s*[\w.])/, 'keyword'],
      [/[()]/, '@brackets'],
      [new RegExp(`${TYPE}(?=\\s*\\))`), 'type.identifier'],
      [new RegExp(TYPE), 'identifier'],
      [/{/, { token: '@brackets', switchTo: 'body' }],
      { include: 'end' },
    ],
    ranges: [
      [/(to)(\s+)(max)\b/, ['keyword', '', 'keyword']],
      [/to\b(?=\s+\d)/, 'keyword'],
      [new RegExp(NAME), 'identifier'],
      { include: 'tail' },
    ],
    // The type of a field; the name follows.
    field: [
      [/group\b(?=\s+\w)/, { token: 'keyword', switchTo: 'groupName' }],
      [/map\b(?=\s*<)/, { token: 'keyword', switchTo: 'entry' }],
      [
        /(?:double|float|u?int(?:32|64)|sint(?:32|64)|s?fixed(?:32|64)|bool|string|bytes)\b(?=\s*$|\s+[\w/])/,
        { token: 'keyword', switchTo: 'fieldName' },
      ],
      [new RegExp(`${TYPE}(?=\\s*=)`), { token: 'identifier', switchTo: 'tail' }],
      [new RegExp(TYPE), { token: 'type.identifier', switchTo: 'fieldName' }],
      { include: 'tail' },
    ],
    fieldName: [[new RegExp(NAME), { token: 'identifier', switchTo: 'tail' }], { include: 'end' }],
    groupName: [[new RegExp(NAME), { token: 'type.identifier', switchTo: 'tail' }], { include: 'end' }],
    entry: [
      { include: 'blank' },
      [/</, '@brackets'],
      [/(?:u?int(?:32|64)|sint(?:32|64)|s?fixed(?:32|64)|double|float|bool|string|bytes)\b(?=\s*[,>])/, 'keyword'],
      [new RegExp(TYPE), 'type.identifier'],
      [/>/, { token: '@brackets', switchTo: 'fieldName' }],
      [/,/, 'delimiter'],
      { include: 'end' },
    ],
    // From a field's or value's number on.
    tail: [
      { include: 'number' },
      { include: 'text' },
      [/\[/, '@brackets', 'optionList'],
      [/{/, { token: '@brackets', switchTo: 'body' }],
      [/[=,]/, 'delimiter'],
      { include: 'end' },
    ],
    optionName: [
      [/[()]/, '@brackets'],
      [new RegExp(TYPE), 'annotation'],
      [/\.|=(?=.)/, { cases: { '=': { token: 'delimiter', switchTo: 'value' }, '@default': 'delimiter' } }],
      [/=/, { token: 'delimiter', switchTo: 'value' }],
      { include: 'end' },
    ],
    value: [{ include: 'constant' }, [/[=:]/, 'delimiter'], { include: 'end' }],
    optionList: [
      { include: 'blank' },
      [/[()]/, '@brackets'],
      [new RegExp(TYPE), 'annotation'],
      [/=/, 'delimiter', 'listedValue'],
      [/[.,]/, 'delimiter'],
      [/]/, '@brackets', '@pop'],
      { include: 'end' },
    ],
    listedValue: [{ include: 'constant' }, [/(?=[,\]])/, '', '@pop'], { include: 'end' }],
    // In braces: names and values of the text format.
    aggregate: [
      { include: 'blank' },
      [/\[[\w./\s-]+\](?=\s*[:{<])/, 'annotation'],
      [new RegExp(`${NAME}(?=\\s*(?:[:{<]|$))`), 'annotation'],
      { include: 'constant' },
      [/[[\]]/, '@brackets'],
      [/</, '@brackets', 'aggregate'],
      [/[}>]/, '@brackets', '@pop'],
      [/[:,;]/, 'delimiter'],
    ],
    constant: [
      { include: 'blank' },
      [word('true', 'false', 'inf', 'nan'), 'keyword'],
      { include: 'number' },
      { include: 'text' },
      [/{/, '@brackets', 'aggregate'],
      [new RegExp(TYPE), 'identifier'],
    ],
    number: [
      [/[-+]/, 'delimiter'],
      [/0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fF]?/, 'number'],
    ],
    text: [{ include: 'blank' }, [/"/, 'string', 'inDouble'], [/'/, 'string', 'inSingle']],
    // A string ends with its line.
    inDouble: [
      { include: 'letters' },
      [/[^\\"]+$/, 'string', '@pop'],
      [/[^\\"]+/, 'string'],
      [/"/, 'string', '@pop'],
      [/\\$/, 'string', '@pop'],
    ],
    inSingle: [
      { include: 'letters' },
      [/[^\\']+$/, 'string', '@pop'],
      [/[^\\']+/, 'string'],
      [/'/, 'string', '@pop'],
      [/\\$/, 'string', '@pop'],
    ],
    letters: [[/\\(?:[0-7]{1,3}|[xX][\da-fA-F]{1,2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|.)/, 'string.escape']],
    blank: [
      [/\s+/, ''],
      [/\/\/.*$/, 'comment'],
      [/\/\*/, 'comment', 'comment'],
    ],
    comment: [
      [/[^*]+/, 'comment'],
      [/\*\//, 'comment', '@pop'],
      [/\*/, 'comment'],
    ],
    // A statement ends here, even an incomplete one.
    end: [{ include: 'blank' }, [/;/, 'delimiter', '@pop'], [/(?=[{}])/, '', '@pop']],
  },
};

export const PROTO_EDITING: languages.LanguageConfiguration = {
  comments: { lineComment: '//', blockComment: ['/*', '*/'] },
  brackets: [
    ['{', '}'],
    ['[', ']'],
    ['(', ')'],
    ['<', '>'],
  ],
  autoClosingPairs: ['{}', '[]', '()', '<>', '""', "''"].map(([open = '', close = '']) => ({
    open,
    close,
    notIn: ['string', 'comment'],
  })),
  autoCloseBefore: ".,=}])>' \n\t",
  indentationRules: {
    increaseIndentPattern: /^((?!\/\/).)*(\{[^}"'`]*|\([^)"'`]*|\[[^\]"'`]*)$/,
    decreaseIndentPattern: /^((?!.*?\/\*).*\*\/)?\s*[}\]].*$/,
  },
};
