/**
 * The options of gogoproto as a .proto text: Prometheus, Kubernetes and etcd schemas import them, rarely with the file
 * at hand. They steer a Go generator and change no byte; numbers from its public registration
 * (https://github.com/gogo/protobuf/blob/master/gogoproto/gogo.proto).
 */

/** Extended message, and per extension `number name` with its type where it is no bool. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  EnumOptions: `62001 goproto_enum_prefix, 62021 goproto_enum_stringer, 62022 enum_stringer,
    62023 enum_customname string, 62024 enumdecl`,
  EnumValueOptions: '66001 enumvalue_customname string',
  FileOptions: `63001 goproto_getters_all, 63002 goproto_enum_prefix_all, 63003 goproto_stringer_all,
    63004 verbose_equal_all, 63005 face_all, 63006 gostring_all, 63007 populate_all, 63008 stringer_all,
    63009 onlyone_all, 63013 equal_all, 63014 description_all, 63015 testgen_all, 63016 benchgen_all,
    63017 marshaler_all, 63018 unmarshaler_all, 63019 stable_marshaler_all, 63020 sizer_all,
    63021 goproto_enum_stringer_all, 63022 enum_stringer_all, 63023 unsafe_marshaler_all,
    63024 unsafe_unmarshaler_all, 63025 goproto_extensions_map_all, 63026 goproto_unrecognized_all,
    63027 gogoproto_import, 63028 protosizer_all, 63029 compare_all, 63030 typedecl_all, 63031 enumdecl_all,
    63032 goproto_registration, 63033 messagename_all, 63034 goproto_sizecache_all, 63035 goproto_unkeyed_all`,
  MessageOptions: `64001 goproto_getters, 64003 goproto_stringer, 64004 verbose_equal, 64005 face, 64006 gostring,
    64007 populate, 67008 stringer, 64009 onlyone, 64013 equal, 64014 description, 64015 testgen, 64016 benchgen,
    64017 marshaler, 64018 unmarshaler, 64019 stable_marshaler, 64020 sizer, 64023 unsafe_marshaler,
    64024 unsafe_unmarshaler, 64025 goproto_extensions_map, 64026 goproto_unrecognized, 64028 protosizer,
    64029 compare, 64030 typedecl, 64033 messagename, 64034 goproto_sizecache, 64035 goproto_unkeyed`,
  FieldOptions: `65001 nullable, 65002 embed, 65003 customtype string, 65004 customname string, 65005 jsontag string,
    65006 moretags string, 65007 casttype string, 65008 castkey string, 65009 castvalue string, 65010 stdtime,
    65011 stdduration, 65012 wktpointer`,
};

export function gogoText(): string {
  const blocks = Object.entries(EXTENSIONS).map(([target, list]) => {
    const fields = list.split(',').map((entry) => {
      const [number, name, type = 'bool'] = entry.trim().split(' ');
      return `optional ${type} ${name} = ${number};`;
    });
    return `extend google.protobuf.${target} { ${fields.join(' ')} }`;
  });
  const head = 'syntax = "proto2"; package gogoproto; import "google/protobuf/descriptor.proto";';
  return `${head}\n${blocks.join('\n')}\n`;
}
