/** Trees of .proto files that real systems are built from, each with the import roots it takes. */
import type { Package } from './packages.ts';

export interface Root {
  readonly package: Package;
  /** Folder of the package that imports are relative to; the whole package where it is left out. */
  readonly folder?: string;
  /** Where import paths name the root by more than its folder: `k8s.io/api/`. */
  readonly prefix?: string;
}

export interface Tree {
  readonly id: string;
  /** Every file of these is compiled and compared. */
  readonly own: readonly Root[];
  /** Files of these are there to be imported. */
  readonly beside?: readonly Root[];
  /** Paths of `own` that are not part of the tree: what their package itself leaves out. */
  readonly leaveOut?: RegExp;
}

const go = (name: string, version: string): Package => ({ registry: 'go', name, version });
const maven = (name: string, version: string): Package => ({ registry: 'maven', name, version });
const npm = (name: string, version: string): Package => ({ registry: 'npm', name, version });

const GOGO = go('github.com/gogo/protobuf', 'v1.3.2');
export const GOGO_ROOTS: readonly Root[] = [{ package: GOGO }, { package: GOGO, prefix: 'github.com/gogo/protobuf/' }];
export const GOOGLEAPIS: Root = { package: npm('google-proto-files', '5.0.3') };
export const XDS = npm('@grpc/grpc-js-xds', '1.14.1');
const kubernetes = (name: string): Root => ({ package: go(`k8s.io/${name}`, 'v0.35.0'), prefix: `k8s.io/${name}/` });
const API = kubernetes('api');
const MACHINERY = kubernetes('apimachinery');
const COSMOS = go('github.com/cosmos/cosmos-sdk', 'v0.45.16');
const KVPROTO = go('github.com/pingcap/kvproto', 'v0.0.0-20260608025309-50b863799195');
const PROTOVALIDATE = go('github.com/bufbuild/protovalidate', 'v1.2.2');
const etcd = (name: string): Root => ({
  package: go(`go.etcd.io/etcd/${name}`, 'v3.6.6'),
  prefix: name.startsWith('api') ? 'etcd/api/' : 'etcd/server/',
});
export const GATEWAY: Root = { package: go('github.com/grpc-ecosystem/grpc-gateway/v2', 'v2.27.3') };

export const TREES: readonly Tree[] = [
  {
    id: 'opentelemetry',
    own: [{ package: maven('io.opentelemetry.proto:opentelemetry-proto', '1.8.0-alpha') }],
  },
  {
    id: 'kubernetes',
    own: [
      API,
      MACHINERY,
      ...['apiextensions-apiserver', 'kube-aggregator', 'metrics', 'cri-api', 'kubelet'].map(kubernetes),
    ],
    beside: GOGO_ROOTS,
  },
  {
    id: 'etcd',
    own: [etcd('api/v3'), etcd('server/v3')],
    beside: [{ package: go('go.etcd.io/raft/v3', 'v3.6.0') }, ...GOGO_ROOTS, GOOGLEAPIS, GATEWAY],
  },
  {
    id: 'prometheus',
    own: [
      { package: go('github.com/prometheus/prometheus', 'v0.307.3'), folder: 'prompb' },
      { package: go('github.com/prometheus/client_model', 'v0.6.2') },
    ],
    beside: GOGO_ROOTS,
  },
  {
    id: 'gogo',
    own: [
      { package: GOGO, folder: 'protobuf' },
      { package: GOGO, folder: 'gogoproto', prefix: 'github.com/gogo/protobuf/gogoproto/' },
      { package: GOGO, folder: 'test', prefix: 'github.com/gogo/protobuf/test/' },
    ],
    beside: GOGO_ROOTS,
  },
  {
    id: 'envoy',
    own: [
      { package: XDS, folder: 'deps/envoy-api' },
      { package: XDS, folder: 'deps/xds' },
      { package: XDS, folder: 'deps/protoc-gen-validate' },
    ],
    beside: [{ package: XDS, folder: 'deps/googleapis' }],
  },
  { id: 'grpc', own: [{ package: go('google.golang.org/grpc', 'v1.77.0') }] },
  { id: 'grpc-gateway', own: [GATEWAY], beside: [GOOGLEAPIS] },
  {
    id: 'protobuf-go',
    own: [{ package: go('google.golang.org/protobuf', 'v1.36.11') }],
    // protoc's own files under another name.
    leaveOut: /^src\/google\//,
  },
  {
    id: 'istio',
    own: [{ package: go('istio.io/api', 'v1.28.0') }],
    beside: [GOOGLEAPIS, API, MACHINERY, ...GOGO_ROOTS],
  },
  {
    id: 'containerd',
    own: [
      {
        package: go('github.com/containerd/containerd/api', 'v1.10.0'),
        prefix: 'github.com/containerd/containerd/api/',
      },
    ],
    beside: [GOOGLEAPIS],
  },
  { id: 'vitess', own: [{ package: go('vitess.io/vitess', 'v0.23.0'), folder: 'proto' }] },
  {
    id: 'cosmos',
    own: [
      { package: COSMOS, folder: 'proto' },
      { package: COSMOS, folder: 'third_party/proto' },
    ],
  },
  {
    id: 'hbase',
    own: [{ package: maven('org.apache.hbase:hbase-protocol-shaded', '2.6.3') }],
    beside: [{ package: maven('org.apache.hbase.thirdparty:hbase-shaded-protobuf', '4.1.10') }],
  },
  { id: 'livekit', own: [{ package: go('github.com/livekit/protocol', 'v1.54.0'), folder: 'protobufs' }] },
  {
    id: 'protovalidate',
    own: [
      { package: PROTOVALIDATE, folder: 'proto/protovalidate' },
      { package: PROTOVALIDATE, folder: 'proto/protovalidate-testing' },
    ],
    beside: [{ package: XDS, folder: 'deps/protoc-gen-validate' }],
  },
  {
    id: 'tikv',
    own: [
      { package: KVPROTO, folder: 'proto' },
      { package: KVPROTO, folder: 'include' },
    ],
    // protoc's own files in an older version.
    leaveOut: /^google\/protobuf\//,
  },
  { id: 'googleapis', own: [GOOGLEAPIS] },
];
