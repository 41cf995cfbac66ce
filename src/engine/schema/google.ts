/**
 * Files of Google's that many schemas import, rarely with the file at hand, as .proto texts: HTTP rules and behaviour of
 * fields, statuses, common types, features of language generators. Written from their public lists of fields: the same
 * bytes, nothing of their prose. https://github.com/googleapis/googleapis
 */

interface Source {
  readonly package: string;
  readonly imports?: readonly string[];
  /** Declarations; `proto3` unless they begin with `edition` or `syntax`. */
  readonly body: string;
}

const DESCRIPTOR = 'google/protobuf/descriptor.proto';
const ANY = 'google/protobuf/any.proto';
const DURATION = 'google/protobuf/duration.proto';
const TIMESTAMP = 'google/protobuf/timestamp.proto';
const WRAPPERS = 'google/protobuf/wrappers.proto';

/** `enum Name { FIRST = 0; SECOND = 1; … }` from the names in their order. */
const listed = (name: string, values: string): string =>
  `enum ${name} { ${values
    .trim()
    .split(/\s+/)
    .map((value, index) => `${value} = ${index};`)
    .join(' ')} }`;

/** Options of a feature: where it can be set, since which edition, and until which. */
const feature = (targets: string, since: string, until?: string): string =>
  [...targets.split(' ').map((target) => `targets = TARGET_TYPE_${target}`), supported(since, until)].join(', ');

const supported = (since: string, until?: string): string =>
  `feature_support = { edition_introduced: EDITION_${since}${until === undefined ? '' : ` edition_removed: EDITION_${until}`} }`;

const SOURCES: Readonly<Record<string, Source>> = {
  'google/api/http.proto': {
    package: 'google.api',
    body: `message Http { repeated HttpRule rules = 1; bool fully_decode_reserved_expansion = 2; }
      message HttpRule { string selector = 1;
        oneof pattern { string get = 2; string put = 3; string post = 4; string delete = 5; string patch = 6; CustomHttpPattern custom = 8; }
        string body = 7; string response_body = 12; repeated HttpRule additional_bindings = 11; }
      message CustomHttpPattern { string kind = 1; string path = 2; }`,
  },
  'google/api/annotations.proto': {
    package: 'google.api',
    imports: ['google/api/http.proto', DESCRIPTOR],
    body: 'extend google.protobuf.MethodOptions { HttpRule http = 72295728; }',
  },
  'google/api/field_behavior.proto': {
    package: 'google.api',
    imports: [DESCRIPTOR],
    body: `extend google.protobuf.FieldOptions { repeated google.api.FieldBehavior field_behavior = 1052 [packed = false]; }
      ${listed('FieldBehavior', 'FIELD_BEHAVIOR_UNSPECIFIED OPTIONAL REQUIRED OUTPUT_ONLY INPUT_ONLY IMMUTABLE UNORDERED_LIST NON_EMPTY_DEFAULT IDENTIFIER')}`,
  },
  'google/api/resource.proto': {
    package: 'google.api',
    imports: [DESCRIPTOR],
    body: `extend google.protobuf.FieldOptions { google.api.ResourceReference resource_reference = 1055; }
      extend google.protobuf.FileOptions { repeated google.api.ResourceDescriptor resource_definition = 1053; }
      extend google.protobuf.MessageOptions { google.api.ResourceDescriptor resource = 1053; }
      message ResourceDescriptor { enum History { HISTORY_UNSPECIFIED = 0; ORIGINALLY_SINGLE_PATTERN = 1; FUTURE_MULTI_PATTERN = 2; }
        enum Style { STYLE_UNSPECIFIED = 0; DECLARATIVE_FRIENDLY = 1; }
        string type = 1; repeated string pattern = 2; string name_field = 3; History history = 4; string plural = 5; string singular = 6; repeated Style style = 10; }
      message ResourceReference { string type = 1; string child_type = 2; }`,
  },
  'google/api/httpbody.proto': {
    package: 'google.api',
    imports: [ANY],
    body: 'message HttpBody { string content_type = 1; bytes data = 2; repeated google.protobuf.Any extensions = 3; }',
  },
  'google/api/launch_stage.proto': {
    package: 'google.api',
    body: 'enum LaunchStage { LAUNCH_STAGE_UNSPECIFIED = 0; UNIMPLEMENTED = 6; PRELAUNCH = 7; EARLY_ACCESS = 1; ALPHA = 2; BETA = 3; GA = 4; DEPRECATED = 5; }',
  },
  'google/rpc/status.proto': {
    package: 'google.rpc',
    imports: [ANY],
    body: 'message Status { int32 code = 1; string message = 2; repeated google.protobuf.Any details = 3; }',
  },
  'google/rpc/code.proto': {
    package: 'google.rpc',
    body: `enum Code { OK = 0; CANCELLED = 1; UNKNOWN = 2; INVALID_ARGUMENT = 3; DEADLINE_EXCEEDED = 4; NOT_FOUND = 5;
      ALREADY_EXISTS = 6; PERMISSION_DENIED = 7; UNAUTHENTICATED = 16; RESOURCE_EXHAUSTED = 8; FAILED_PRECONDITION = 9;
      ABORTED = 10; OUT_OF_RANGE = 11; UNIMPLEMENTED = 12; INTERNAL = 13; UNAVAILABLE = 14; DATA_LOSS = 15; }`,
  },
  'google/type/date.proto': {
    package: 'google.type',
    body: 'message Date { int32 year = 1; int32 month = 2; int32 day = 3; }',
  },
  'google/type/timeofday.proto': {
    package: 'google.type',
    body: 'message TimeOfDay { int32 hours = 1; int32 minutes = 2; int32 seconds = 3; int32 nanos = 4; }',
  },
  'google/type/datetime.proto': {
    package: 'google.type',
    imports: [DURATION],
    body: `message DateTime { int32 year = 1; int32 month = 2; int32 day = 3; int32 hours = 4; int32 minutes = 5; int32 seconds = 6; int32 nanos = 7;
        oneof time_offset { google.protobuf.Duration utc_offset = 8; TimeZone time_zone = 9; } }
      message TimeZone { string id = 1; string version = 2; }`,
  },
  'google/type/dayofweek.proto': {
    package: 'google.type',
    body: listed('DayOfWeek', 'DAY_OF_WEEK_UNSPECIFIED MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY'),
  },
  'google/type/month.proto': {
    package: 'google.type',
    body: listed(
      'Month',
      'MONTH_UNSPECIFIED JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER',
    ),
  },
  'google/type/latlng.proto': {
    package: 'google.type',
    body: 'message LatLng { double latitude = 1; double longitude = 2; }',
  },
  'google/type/money.proto': {
    package: 'google.type',
    body: 'message Money { string currency_code = 1; int64 units = 2; int32 nanos = 3; }',
  },
  'google/type/interval.proto': {
    package: 'google.type',
    imports: [TIMESTAMP],
    body: 'message Interval { google.protobuf.Timestamp start_time = 1; google.protobuf.Timestamp end_time = 2; }',
  },
  'google/type/color.proto': {
    package: 'google.type',
    imports: [WRAPPERS],
    body: 'message Color { float red = 1; float green = 2; float blue = 3; google.protobuf.FloatValue alpha = 4; }',
  },
  'google/type/expr.proto': {
    package: 'google.type',
    body: 'message Expr { string expression = 1; string title = 2; string description = 3; string location = 4; }',
  },
  'google/type/fraction.proto': {
    package: 'google.type',
    body: 'message Fraction { int64 numerator = 1; int64 denominator = 2; }',
  },
  'google/type/decimal.proto': { package: 'google.type', body: 'message Decimal { string value = 1; }' },
  'google/type/quaternion.proto': {
    package: 'google.type',
    body: 'message Quaternion { double x = 1; double y = 2; double z = 3; double w = 4; }',
  },
  'google/protobuf/go_features.proto': {
    package: 'pb',
    imports: [DESCRIPTOR],
    body: `syntax = "proto2"; extend google.protobuf.FeatureSet { optional GoFeatures go = 1002; }
      message GoFeatures { optional bool legacy_unmarshal_json_enum = 1 [${feature('ENUM FILE', '2023')}];
        enum APILevel { API_LEVEL_UNSPECIFIED = 0; API_OPEN = 1; API_HYBRID = 2; API_OPAQUE = 3; }
        optional APILevel api_level = 2 [${feature('MESSAGE FILE', '2023')}];
        enum StripEnumPrefix { STRIP_ENUM_PREFIX_UNSPECIFIED = 0; STRIP_ENUM_PREFIX_KEEP = 1; STRIP_ENUM_PREFIX_GENERATE_BOTH = 2; STRIP_ENUM_PREFIX_STRIP = 3; }
        optional StripEnumPrefix strip_enum_prefix = 3 [${feature('ENUM ENUM_ENTRY FILE', '2024')}];
        message OptimizeModeFeature { enum OptimizeMode { OPTIMIZE_MODE_UNSPECIFIED = 0; SPEED = 1; CODE_SIZE = 2; } }
        optional OptimizeModeFeature.OptimizeMode optimize_mode = 4 [${feature('MESSAGE FILE', '2024')}]; }`,
  },
  'google/protobuf/cpp_features.proto': {
    package: 'pb',
    imports: [DESCRIPTOR],
    body: `syntax = "proto2"; extend google.protobuf.FeatureSet { optional CppFeatures cpp = 1000; }
      message CppFeatures { optional bool legacy_closed_enum = 1 [${feature('FIELD FILE', '2023')}];
        enum StringType { STRING_TYPE_UNKNOWN = 0; VIEW = 1; CORD = 2; STRING = 3; }
        optional StringType string_type = 2 [${feature('FIELD FILE', '2023')}];
        optional bool enum_name_uses_string_view = 3 [${feature('ENUM FILE', '2024')}];
        enum RepeatedType { REPEATED_TYPE_UNKNOWN = 0; LEGACY = 1; PROXY = 2; }
        optional RepeatedType repeated_type = 4 [${feature('FIELD FILE', 'UNSTABLE')}]; }`,
  },
  'google/protobuf/java_features.proto': {
    package: 'pb',
    imports: [DESCRIPTOR],
    body: `syntax = "proto2"; extend google.protobuf.FeatureSet { optional JavaFeatures java = 1001; }
      message JavaFeatures { optional bool legacy_closed_enum = 1 [${feature('FIELD FILE', '2023')}];
        enum Utf8Validation { UTF8_VALIDATION_UNKNOWN = 0; DEFAULT = 1; VERIFY = 2; }
        optional Utf8Validation utf8_validation = 2 [${feature('FIELD FILE', '2023')}];
        optional bool large_enum = 3 [${feature('ENUM FILE', '2024')}];
        optional bool use_old_outer_classname_default = 4 [${feature('FILE', '2024', '2024')}];
        message NestInFileClassFeature { enum NestInFileClass { NEST_IN_FILE_CLASS_UNKNOWN = 0; NO = 1; YES = 2;
          LEGACY = 3 [${supported('2024', '2024')}]; } reserved 1 to max; }
        optional NestInFileClassFeature.NestInFileClass nest_in_file_class = 5 [${feature('MESSAGE ENUM SERVICE', '2024')}];
        reserved 6; }`,
  },
};

/** Paths of the files there are. */
export const googleFiles = (): readonly string[] => Object.keys(SOURCES);

/** The text of a file; undefined where there is none of the path. */
export function googleText(path: string): string | undefined {
  if (!Object.hasOwn(SOURCES, path)) return undefined;
  const { package: name, imports = [], body } = SOURCES[path]!;
  const [, syntax = 'syntax = "proto3";', rest = ''] = /^(syntax = "proto2";)?([\s\S]*)$/.exec(body) ?? [];
  return `${syntax} package ${name}; ${imports.map((file) => `import "${file}";`).join(' ')}\n${rest}\n`;
}
