/** A valid schema → one with a few of its words changed at random, by a seed, so that each can be made again. */

export interface Mutation {
  readonly text: string;
  /** The edits, for a person. */
  readonly edits: readonly string[];
}

/** Numbers from 0 to 1, always the same for a seed. Marsaglia's xorshift. */
export function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state / 2 ** 32;
  };
  for (let index = 0; index < 8; index++) next();
  return next;
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const lines = (text: string): readonly string[] => text.trim().split(/\n\s*/);

const NUMBERS = words(`
  0 1 2 3 4 5 7 8 10 11 13 30 50 65 100 101 199 200 1000 18999 19000 19999 536870911 536870912 2147483646 2147483647
  2147483648 4294967295 9223372036854775807 9223372036854775808 18446744073709551615 18446744073709551616 -1 0x10 0x 010
  08 1.5 1. .5 1e3 1e 1f 1.5f max inf nan -inf -nan`);

const WORDS = words(`
  a b c e o m n x foo bar A B C E F G N S M ZERO ONE p q p.q.A .p.A .p.q.A p.A A.N .A A. beside beside.Full beside.Full.Inner
  beside.Leaf beside.Open beside.Closed beside.Lite beside.Seen beside.Seen.Within beside.Kept beside.KeptEnum int32 string
  bytes bool double float sint64 fixed32 uint64 optional required repeated oneof message enum extend group map reserved
  extensions option deprecated packed default json_name true false True t inf nan features features.field_presence EXPLICIT
  IMPLICIT LEGACY_REQUIRED FIELD_PRESENCE_UNKNOWN features.repeated_field_encoding PACKED EXPANDED features.message_encoding
  DELIMITED LENGTH_PREFIXED features.enum_type OPEN CLOSED features.json_format ALLOW LEGACY_BEST_EFFORT
  features.utf8_validation VERIFY NONE features.enforce_naming_style STYLE2024 STYLE_LEGACY
  features.default_symbol_visibility STRICT EXPORT_ALL EXPORT_TOP_LEVEL LOCAL_ALL lazy unverified_lazy ctype CORD
  STRING_PIECE jstype JS_STRING JS_NUMBER weak retention RETENTION_SOURCE targets TARGET_TYPE_FIELD debug_redact map_entry
  message_set_wire_format no_standard_descriptor_accessor allow_alias optimize_for SPEED CODE_SIZE LITE_RUNTIME
  java_string_check_utf8 java_multiple_files cc_generic_services java_generic_services uninterpreted_option stream rpc
  returns export local public import syntax edition package google.protobuf.Any google.protobuf.FieldOptions
  google.protobuf.MessageOptions google.protobuf.ExtensionRangeOptions google.protobuf.FeatureSet MEntry fooBar foo_bar _foo
  x__y e_1 idempotency_level IDEMPOTENT cc_enable_arenas verification UNVERIFIED DECLARATION declaration number full_name
  type reserved repeated writer LONG sizes name inner list Legacy legacy left right weights ratio fast more beside.fast
  beside.write beside.layout beside.owner beside.table beside.label beside.needs deprecated_legacy_json_field_conflicts
  __proto__ constructor`);

const STRINGS = words(`
  "" "a" "1a" "foo" "a.b" ".p.A" "p.ten" ".p.ten" "int32" "string" "\\x" "\\400" "\\xff" "\\0" "\\u12" "\\U00110000" "é" '"' "[a]"
  "proto2" "proto3" "2023" "2024" "beside/lite.proto" "beside/full.proto" "nope.proto" "google/protobuf/any.proto"`);

const OPTION_LISTS = lines(`
  [deprecated = true]
  [default = 1]
  [default = "a"]
  [default = ZERO]
  [default = true]
  [packed = true]
  [json_name = "a"]
  [json_name = "[x]"]
  [json_name = ""]
  [json_name = "a\\0b"]
  [ctype = CORD]
  [jstype = JS_STRING]
  [lazy = true]
  [unverified_lazy = true]
  [weak = true]
  [features.field_presence = EXPLICIT]
  [features.field_presence = IMPLICIT]
  [features.field_presence = LEGACY_REQUIRED]
  [features.repeated_field_encoding = PACKED]
  [features.message_encoding = DELIMITED]
  [features.utf8_validation = NONE]
  [features.enum_type = CLOSED]
  [features = { field_presence: EXPLICIT }]
  [features.(pb.cpp).string_type = CORD]
  [uninterpreted_option = {}]
  [debug_redact = true, targets = TARGET_TYPE_FIELD]
  [deprecated = true, deprecated = false]
  [(nope) = 1]
  []`);

const PIECES = lines(`
  reserved 1;
  reserved "a";
  reserved "a", "a";
  reserved "1a";
  reserved a;
  reserved 5 to 1;
  reserved 0;
  reserved -1;
  reserved 1 to max;
  reserved 536870912;
  reserved 5, 5;
  reserved 3, "x";
  extensions 5;
  extensions 0;
  extensions 1 to max;
  extensions 300 to 400 [verification = UNVERIFIED];
  extensions 300 to 400 [verification = DECLARATION];
  extensions 300 to 400 [declaration = { number: 300, full_name: ".p.x", type: "int32" }];
  extensions 300 to 400 [declaration = { number: 299, full_name: ".p.x", type: "int32" }];
  extensions 300 to 400 [declaration = { number: 300, full_name: "p.x", type: "int32" }];
  extensions 300 to 400 [declaration = { number: 300 }];
  extensions 300 to 400 [declaration = { number: 300, reserved: true }, declaration = { number: 300, reserved: true }];
  extensions 300 to 400 [verification = UNVERIFIED, declaration = { number: 300, reserved: true }];
  option deprecated = true;
  option message_set_wire_format = true;
  option map_entry = true;
  option map_entry = false;
  option no_such = 1;
  option features.field_presence = EXPLICIT;
  option features.field_presence = IMPLICIT;
  option features.enum_type = CLOSED;
  option features.json_format = LEGACY_BEST_EFFORT;
  option features.message_encoding = DELIMITED;
  option features.repeated_field_encoding = EXPANDED;
  option features.utf8_validation = NONE;
  option features.enforce_naming_style = STYLE_LEGACY;
  option features.default_symbol_visibility = STRICT;
  option features.default_symbol_visibility = LOCAL_ALL;
  option features = { json_format: ALLOW };
  option uninterpreted_option = { };
  option deprecated_legacy_json_field_conflicts = true;
  option java_package = "y";
  option java_string_check_utf8 = true;
  option optimize_for = LITE_RUNTIME;
  option optimize_for = 1;
  option cc_generic_services = true;
  option py_generic_services = true;
  option (nope) = 1;
  option (opt) = 1;
  option deprecated = 1;
  option deprecated = "true";
  option allow_alias = true;
  option allow_alias = false;
  message MEntry {}
  message A {}
  message a {}
  message Cycle { optional Cycle c = 1; }
  enum Q {}
  enum Q { Q1 = 1; }
  enum Q { Q0 = 0; q0 = 1; }
  enum Q { QA = 0; Q_A = 1; }
  enum E { A1 = 0; }
  enum R { option allow_alias = true; R0 = 0; }
  enum R { option allow_alias = false; R0 = 0; }
  enum R { R0 = 0; R1 = 0; }
  enum R { R0 = 0; reserved 0; }
  enum R { R0 = 0; reserved "R0"; }
  enum R { R0 = 0; reserved "R1", "R1"; }
  enum R { R0 = 2147483648; }
  enum R { R0 = 0; R9 = -2147483648; }
  enum R { R0 = 0; R9 = -2147483649; }
  enum R { R0 = 0; reserved -5 to -1; }
  enum R { R0 = 0; reserved -1 to -5; }
  enum R { R0 = 0; reserved 1 to 5, 5 to 6; }
  enum R { R0 = 0; reserved max; }
  enum R { R0 = 0; reserved 3 to max; R3 = 2147483647; }
  enum R { R0 = 0; reserved -2147483648 to max; }
  oneof z {}
  oneof z { int32 zz = 40; }
  oneof z { repeated int32 zz = 40; }
  oneof z { map<int32,int32> zz = 40; }
  oneof z { option deprecated = true; int32 zz = 40; }
  map<float,int32> zz = 41;
  map<E,int32> zz = 41;
  map<string, map<int32,int32>> zz = 41;
  map<string, beside.Closed> zz = 41;
  map<int32, E> zz = 41 [deprecated = true];
  optional map<int32,int32> zz = 41;
  map<int32,int32> Zz = 41;
  repeated group Z = 42 {}
  optional group z = 42 {}
  group Z = 42 { optional int32 zz = 1; }
  optional int32 A = 43;
  optional int32 z = 0;
  int32 a_ = 44;
  int32 _a = 44;
  int32 fooBar = 45;
  int32 foo_bar = 46;
  repeated A x = 47;
  google.protobuf.Any y = 48;
  optional .p.A abs = 49;
  optional beside.Lite lt = 51;
  beside.Closed cl = 52;
  beside.Kept kept = 53;
  extend A { optional int32 w = 150; }
  extend A { required int32 w = 150; }
  extend A { int32 w = 150; }
  extend A { optional int32 ext = 100; }
  extend A { repeated int32 w = 100; }
  extend A { oneof o { int32 w = 150; } }
  extend A { optional group W = 151 {} }
  extend A { }
  extend Nope { optional int32 w = 150; }
  extend A { optional int32 w = 99; }
  extend beside.Lite { optional int32 w = 150; }
  extend beside.Lite { optional A w = 150; }
  extend beside.Full { optional beside.Lite w = 150; }
  extend google.protobuf.MessageOptions { optional int32 mo = 50002; }
  extend google.protobuf.MessageOptions { int32 mo = 50002; }
  extend google.protobuf.FeatureSet { optional A fs = 9990; }
  extend google.protobuf.ExtensionRangeOptions { optional int32 ro = 50002; }
  rpc X (A) returns (E);
  rpc X (int32) returns (A);
  rpc M (A) returns (A);
  rpc X (stream A) returns (stream A) {}
  rpc X (A) returns (A) { option features.json_format = ALLOW; }
  service T {}
  service S {}
  service T { rpc X (beside.Lite) returns (beside.Full); }
  import "nope.proto";
  import "beside/lite.proto";
  import "beside/visible.proto";
  import "google/protobuf/any.proto";
  import public "google/protobuf/any.proto";
  import weak "google/protobuf/any.proto";
  import option "google/protobuf/any.proto";
  import option "beside/options.proto";
  package z;
  syntax = "proto2";
  export message Z {}
  local enum Z { Z0 = 0; }
  export service Z {}
  export extend A { optional int32 w = 150; }
  message Z { export message Y {} local enum X { X0 = 0; } }
  stream A b = 1;
  ;
  };
  }
  {
  // c
  /* x */
  /* x /* y */
  # x
  "a"`);

const SYMBOLS = words('; { } [ ] ( ) < > = , . - + : / $ é');

const TOKEN =
  /\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|[0-9][\w.]*|\s+|[\s\S]/g;

/** @param random numbers from 0 to 1. */
export function mutate(original: string, random: () => number): Mutation {
  const tokens: string[] = original.match(TOKEN) ?? [];
  const edits: string[] = [];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const placesOf = (fits: (token: string) => boolean) => tokens.flatMap((token, index) => (fits(token) ? [index] : []));
  const isBlank = (token: string) => /^(\s|\/\/)/.test(token);
  const around = (index: number) => {
    const near = tokens.slice(Math.max(0, index - 6), index + 6).join('');
    return near.replace(/\s+/g, ' ').trim();
  };

  const insert = (index: number, text: string) => {
    edits.push(`+ ${text.trim()} (${around(index)})`);
    tokens.splice(index, 0, text);
  };
  const replace = (index: number, text: string) => {
    edits.push(`${tokens[index]} → ${text} (${around(index)})`);
    tokens[index] = text;
  };
  const editOnce = () => {
    const kind = random();
    if (kind < 0.3) {
      const places = placesOf((token) => /^[;{}]$/.test(token));
      // A piece at the end of the file is a statement of its own; elsewhere it is part of another.
      insert((random() < 0.1 ? tokens.length - 1 : pick(places)) + 1, ` ${pick(PIECES)}\n`);
      return;
    }
    if (kind < 0.42) {
      insert(pick(placesOf((token) => token === ';')), ` ${pick(OPTION_LISTS)}`);
      return;
    }
    const statementStarts = placesOf((token) => /^[;{}]$/.test(token));
    if (kind < 0.5) {
      // A statement once more, perhaps elsewhere; or none.
      const at = Math.floor(random() * (statementStarts.length - 1));
      const piece = tokens.slice(statementStarts[at]! + 1, statementStarts[at + 1]! + 1);
      if (random() < 0.5) insert(pick(statementStarts) + 1, piece.join(''));
      else {
        edits.push(`− ${piece.join('').trim()}`);
        tokens.splice(statementStarts[at]! + 1, piece.length);
      }
      return;
    }
    const index = pick(placesOf((token) => !isBlank(token)));
    const token = tokens[index]!;
    const own = (fits: RegExp) => tokens.filter((other) => fits.test(other));
    if (/^[0-9]/.test(token)) replace(index, pick(random() < 0.7 ? NUMBERS : own(/^[0-9]/)));
    else if (/^["']/.test(token)) replace(index, pick(random() < 0.7 ? STRINGS : own(/^["']/)));
    else if (/^\w/.test(token)) replace(index, pick(random() < 0.7 ? WORDS : own(/^[A-Za-z_]/)));
    else if (kind < 0.75) {
      edits.push(`− ${token} (${around(index)})`);
      tokens.splice(index, 1);
    } else if (kind < 0.9) replace(index, pick(SYMBOLS));
    else {
      const other = pick(placesOf((candidate) => !isBlank(candidate)));
      edits.push(`${token} ↔ ${tokens[other]} (${around(index)})`);
      [tokens[index], tokens[other]] = [tokens[other]!, token];
    }
  };
  for (let left = random() < 0.65 ? 1 : random() < 0.7 ? 2 : 3; left > 0; left--) editOnce();
  return { text: tokens.join(''), edits };
}
